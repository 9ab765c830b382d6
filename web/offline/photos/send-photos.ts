import { asMissing } from '../kept/answers.ts';
import { type DrainDeps, type Sent, stopFor } from '../outbox/drain-pass.ts';
import type { KeptPhoto } from '../outbox/records.ts';
import { NotSavedError } from '../outbox/room.ts';

/** Most names of one question, as the server has it. */
const questionSize = 200;

/** Sends the photos of the person signed in, after the events: a count never waits for its picture. */
export async function sendPhotos(deps: DrainDeps): Promise<Sent> {
  const { userId } = deps;
  if (userId === null) return { stopped: null, left: 0 };
  const waiting = await listWaiting(deps, userId);
  let left = 0;
  for (let i = 0; i < waiting.length; i += questionSize) {
    const hashes = waiting.slice(i, i + questionSize);
    const answer = await deps.environment.transport({ method: 'POST', path: '/api/photos/missing', body: { hashes } });
    const stopped = stopFor(answer, 'one-object');
    if (stopped) return { stopped, left };
    const missing = answer.outcome === 'answered' ? asMissing(answer.body) : null;
    for (const hash of hashes) {
      const sent = missing ? await sendOne(deps, hash, missing.has(hash)) : notSent;
      if (sent.stopped) return { stopped: sent.stopped, left };
      left += sent.left;
    }
  }
  return { stopped: null, left };
}

const sentNow: Sent = { stopped: null, left: 0 };
const notSent: Sent = { stopped: null, left: 1 };

/** Names only: the bytes of a day's photos are not held in memory at once. */
async function listWaiting(deps: DrainDeps, userId: number): Promise<string[]> {
  const photos = await deps.store.read(['photos'], (tx) => tx.objectStore('photos').getAll());
  return photos.filter((photo) => photo.userId === userId && isWaiting(photo)).map((photo) => photo.id);
}

function isWaiting(photo: KeptPhoto): boolean {
  return photo.uploadedAt === null && !photo.refusal && !photo.sealedWith;
}

async function sendOne(deps: DrainDeps, hash: string, isMissing: boolean): Promise<Sent> {
  const photo = await deps.store.read(['photos'], (tx) => tx.objectStore('photos').get(hash));
  if (!photo || photo.sealedWith) return sentNow;
  let refusal: string | null = null;
  if (isMissing) {
    const path = `/api/photos/${hash}`;
    const answer = await deps.environment.transport({ method: 'PUT', path, body: photo.blob });
    const stopped = stopFor(answer, 'one-object');
    if (stopped) return { stopped, left: 1 };
    if (answer.outcome === 'refused') {
      if (answer.status >= 500 || !answer.isProblem) return notSent;
      refusal = answer.detail;
    }
  }
  await settlePhoto(deps, hash, refusal);
  return sentNow;
}

/** A phone too full to note that the server has a photo drops it instead. */
async function settlePhoto({ store, environment }: DrainDeps, hash: string, refusal: string | null): Promise<void> {
  const at = new Date(environment.now()).toISOString();
  try {
    await store.write(['photos'], async (tx) => {
      const now = await tx.objectStore('photos').get(hash);
      if (now) await tx.objectStore('photos').put(refusal ? { ...now, refusal } : { ...now, uploadedAt: at });
    });
  } catch (error) {
    if (!(error instanceof NotSavedError) || refusal) throw error;
    await store.write(['photos'], (tx) => tx.objectStore('photos').delete(hash));
  }
}
