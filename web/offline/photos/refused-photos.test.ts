import { expect, test } from 'vitest';
import { closeVisit, openVisit } from '../actions.ts';
import { readDayWork } from '../day/driver-day.ts';
import type { Call } from '../environment.ts';
import { rememberSession } from '../session.ts';
import { bootPhone, refusal, testLocation } from '../testing/booted-phone.ts';
import { buildSession } from '../testing/fake-phone.ts';
import { keepPhoto } from './photos.ts';
import { dropPhoto, listRefusedPhotos, replacePhoto } from './refused-photos.ts';

/** A phone whose first photo, of a visit that is closed, was refused by the server. */
async function refusedPhone() {
  const taken: string[] = [];
  const phone = bootPhone((call: Call) => {
    if (call.method === 'PUT') {
      taken.push(call.path);
      return taken.length === 1 ? refusal(400) : { outcome: 'answered', body: null };
    }
    if (call.path === '/api/photos/missing') {
      return { outcome: 'answered', body: { missing: (call.body as { hashes: string[] }).hashes } };
    }
    if (call.method === 'GET') return refusal(404);
    const { events } = call.body as { events: { eventId: string }[] };
    const results = events.map(({ eventId }) => ({ eventId, status: 'applied' }));
    return { outcome: 'answered', body: { serverTime: '2026-03-02T05:00:10Z', results } };
  });
  await rememberSession(phone.offline, buildSession(1));
  const visitId = await openVisit(phone.offline, { location: testLocation, routeId: null, stopId: null });
  await keepPhoto(phone.offline, { userId: 1, location: testLocation, blob: new Blob(['blurred']) });
  await closeVisit(phone.offline, visitId);
  await phone.offline.sender.flush();
  return { ...phone, visitId, taken };
}

/** The photos of a visit as last sent. */
function saidOf(calls: readonly Call[], visitId: string): string[] | undefined {
  type Said = { visitId?: string; photoIds: string[] };
  const events = calls.flatMap((call) => (call.body as { events?: Said[] } | undefined)?.events ?? []);
  return events.findLast((event) => event.visitId === visitId)?.photoIds;
}

test('a refused photo is told with its sentence, and a new one takes its place in the visit', async () => {
  const { offline, calls, visitId } = await refusedPhone();
  const [refused] = await listRefusedPhotos(offline);
  if (!refused) throw new Error('no photo was refused');
  expect(refused.refusal).toBe('No.');
  expect(saidOf(calls, visitId)).toEqual([refused.id]);
  expect(await readDayWork(offline, '2026-03-02')).toMatchObject({ photosUnsent: 0, photosRefused: 1 });
  await replacePhoto(offline, refused, new Blob(['sharp']));
  await offline.sender.flush();
  expect(await listRefusedPhotos(offline)).toEqual([]);
  const photos = await offline.store.read(['photos'], (tx) => tx.objectStore('photos').getAll());
  expect(photos).toMatchObject([{ uploadedAt: expect.any(String) }]);
  expect(saidOf(calls, visitId)).toEqual([photos[0]?.id]);
});

test('a photo that is dropped is gone, and the visit no longer speaks of it', async () => {
  const { offline, calls, visitId, taken } = await refusedPhone();
  const [refused] = await listRefusedPhotos(offline);
  if (!refused) throw new Error('no photo was refused');
  await dropPhoto(offline, refused);
  await offline.sender.flush();
  expect(saidOf(calls, visitId)).toEqual([]);
  expect(taken).toHaveLength(1);
});
