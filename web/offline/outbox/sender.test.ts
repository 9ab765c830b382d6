import { expect, test } from 'vitest';
import { recordProgress, saveLocation } from '../actions.ts';
import type { Answer, Call } from '../environment.ts';
import { listOutbox } from '../kept/reads.ts';
import { rememberSession } from '../session.ts';
import { bootPhone, refusal, testLocation, typeChange, unreachable } from '../testing/booted-phone.ts';
import { buildSession, untilIdle } from '../testing/fake-phone.ts';

type Sent = { events: { eventId: string; deviceSeq: number; itemId: number }[] };

function applyAll(call: Call): Answer {
  const { events } = call.body as Sent;
  const results = events.map(({ eventId }) => ({ eventId, status: 'applied', reason: null, quantity: 1, version: 1 }));
  return { outcome: 'answered', body: { serverTime: '2026-03-02T05:00:10Z', results } };
}

/** A phone with unsent counts, signed in, whose uploads are answered by a function. */
async function phoneWith(unsent: number, answer: (call: Call) => Answer) {
  const phone = bootPhone((call) => (call.method === 'GET' ? unreachable : answer(call)));
  await rememberSession(phone.offline, buildSession(1));
  await phone.offline.refresh();
  await untilIdle(phone.offline.sender.isSending);
  for (let item = 1; item <= unsent; item++) await typeChange(phone, item);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  phone.calls.length = 0;
  return phone;
}

const sizes = (calls: Call[]) => calls.map((call) => (call.body as Sent).events.length);

test('a long day goes out in batches of 200, in the order of the device', async () => {
  const phone = await phoneWith(450, applyAll);
  expect(await phone.offline.sender.flush()).toBe('done');
  expect(sizes(phone.calls)).toEqual([200, 200, 50]);
  const numbers = phone.calls.flatMap((call) => (call.body as Sent).events.map((event) => event.deviceSeq));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('a batch that is too large is halved until it fits', async () => {
  const fits = (call: Call) => (call.body as Sent).events.length <= 50;
  const phone = await phoneWith(120, (call) => (fits(call) ? applyAll(call) : refusal(413)));
  expect(await phone.offline.sender.flush()).toBe('done');
  expect(sizes(phone.calls)).toEqual([120, 60, 30, 30, 60, 30, 30]);
});

test('counts of an item go in their order, also where the server once failed on the first of them', async () => {
  let isBroken = true;
  const phone = await phoneWith(2, (call) => (isBroken ? refusal(500) : applyAll(call)));
  await phone.offline.sender.flush();
  await typeChange(phone, 1);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  await untilIdle(phone.offline.sender.isSending);
  isBroken = false;
  phone.calls.length = 0;
  expect(await phone.offline.sender.flush()).toBe('done');
  const events = phone.calls.flatMap((call) => (call.body as Sent).events).filter(({ itemId }) => itemId === 1);
  expect(events).toHaveLength(2);
  expect(events[0]?.deviceSeq).toBeLessThan(events[1]?.deviceSeq ?? 0);
});

test('an overloaded server is left alone for as long as it asks', async () => {
  const phone = await phoneWith(1, () => refusal(503, 90_000));
  await phone.offline.sender.flush();
  phone.offline.sender.kick('save');
  phone.offline.sender.kick('online');
  await untilIdle(phone.offline.sender.isSending);
  expect(phone.calls).toHaveLength(1);
  const before = phone.clock.nowMs;
  phone.clock.runNext();
  expect(phone.clock.nowMs - before).toBeGreaterThanOrEqual(60_000);
});

test('pauses grow after each failure, never past five minutes, and sending is never given up', async () => {
  const phone = await phoneWith(1, () => unreachable);
  phone.offline.environment.isVisible = () => false;
  await phone.offline.sender.flush();
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    const before = phone.clock.nowMs;
    expect(phone.clock.runNext()).toBe(true);
    waits.push(phone.clock.nowMs - before);
    await untilIdle(phone.offline.sender.isSending);
  }
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(Math.max(...waits)).toBe(150_000);
});

test('a clock that is set back does not hold up what a save or the network’s return sends', async () => {
  const phone = await phoneWith(1, () => refusal(503, 30_000));
  await phone.offline.sender.flush();
  for (const trigger of ['save', 'online'] as const) {
    phone.calls.length = 0;
    phone.clock.nowMs -= 24 * 3_600_000;
    phone.offline.sender.kick(trigger);
    await untilIdle(phone.offline.sender.isSending);
    expect(phone.calls).toHaveLength(1);
  }
});

test('what the server took today is still there on a phone whose clock is days ahead', async () => {
  const phone = await phoneWith(2, applyAll);
  phone.clock.nowMs += 3 * 24 * 3_600_000;
  expect(await phone.offline.sender.flush()).toBe('done');
  const kept = await phone.offline.store.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  expect(kept.map(({ status }) => status)).toEqual(['saved', 'saved']);
});

test('without a sign-in the server is asked again only after minutes, or as soon as somebody signs in', async () => {
  let isIn = false;
  const phone = await phoneWith(1, (call) => (isIn ? applyAll(call) : refusal(401)));
  let wakes = 0;
  phone.offline.environment.requestWake = async () => {
    wakes += 1;
  };
  await phone.offline.sender.flush();
  const before = phone.clock.nowMs;
  phone.clock.runNext();
  await untilIdle(phone.offline.sender.isSending);
  expect(phone.clock.nowMs - before).toBe(300_000);
  expect(phone.calls).toHaveLength(2);
  expect(wakes).toBe(0);
  isIn = true;
  await rememberSession(phone.offline, buildSession(1));
  await untilIdle(phone.offline.sender.isSending);
  expect(phone.calls).toHaveLength(3);
  expect(await listOutbox(phone.offline)).toEqual([]);
});

test('without a sign-in everything stays, and the screen is told', async () => {
  const phone = await phoneWith(2, () => refusal(401));
  expect(await phone.offline.sender.flush()).toBe('sign-in');
  expect(phone.offline.status.get().signInNeeded).toBe(true);
  expect(await listOutbox(phone.offline)).toHaveLength(2);
});

test('a page that is not the server answers nothing', async () => {
  const phone = await phoneWith(1, () => ({ outcome: 'answered', body: { welcome: 'to the hotel network' } }));
  expect(await phone.offline.sender.flush()).toBe('unreachable');
  expect(await listOutbox(phone.offline)).toHaveLength(1);
});

test('a refused change stays on the phone with the reason', async () => {
  const phone = await phoneWith(1, (call) => {
    const { events } = call.body as Sent;
    const results = events.map(({ eventId }) => ({ eventId, status: 'rejected', reason: 'This slot was removed.' }));
    return { outcome: 'answered', body: { serverTime: '2026-03-02T05:00:10Z', results } };
  });
  await phone.offline.sender.flush();
  expect(await listOutbox(phone.offline)).toMatchObject([{ status: 'refused', reason: 'This slot was removed.' }]);
});

test('steps of the day go in one line with the counts, in the order of the device, and twice said is said once', async () => {
  const phone = await phoneWith(1, applyAll);
  await phone.offline.sender.flush();
  phone.offline.environment.transport = async () => unreachable;
  await recordProgress(phone.offline, { steps: [{ type: 'route-started', routeId: 1 }] });
  await recordProgress(phone.offline, { steps: [{ type: 'stop-completed', routeId: 1, stopId: 10 }] });
  await recordProgress(phone.offline, { steps: [{ type: 'stop-completed', routeId: 1, stopId: 10 }] });
  await typeChange(phone, 2);
  await saveLocation(phone.offline, { location: testLocation, position: null });
  const waiting = await listOutbox(phone.offline);
  expect(waiting.map((entry) => entry.type)).toEqual(['progress', 'progress', 'stock-event']);
});

test('a step kept by an older version of the app is sent as an event of today', async () => {
  const phone = await phoneWith(0, applyAll);
  const old = { seq: 900, id: '0195c000-0000-7000-8000-000000000001', userId: 1, status: 'unsent' as const };
  const savedAt = '2026-03-02T04:00:00.000Z';
  const entry = { ...old, reason: null, savedAt, answeredAt: null, routeId: 1, stopId: 10, actualArrival: savedAt };
  await phone.offline.store.write(['outbox'], (tx) =>
    tx.objectStore('outbox').add({ ...entry, type: 'stop-completed' }),
  );
  expect(await phone.offline.sender.flush()).toBe('done');
  expect(phone.calls.at(-1)?.body).toMatchObject({
    events: [{ type: 'stop-completed', eventId: old.id, deviceSeq: 900, stopId: 10, occurredAtClient: savedAt }],
  });
});
