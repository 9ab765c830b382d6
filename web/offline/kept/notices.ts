import type { FieldNotices } from '../../../contract/stock-review.ts';
import type { OfflineEnvironment } from '../environment.ts';
import type { Store, WriteTx } from '../outbox/store.ts';
import { isRecord } from './answers.ts';

/** What became of this person's changes after the server had answered, kept for the time without a network. */

const key = 'field-notices';

type Core = { store: Store; environment: Pick<OfflineEnvironment, 'transport' | 'now'> };

export async function refreshNotices({ store, environment }: Core): Promise<void> {
  const answer = await environment.transport({ method: 'GET', path: '/api/field-notices' });
  const notices = answer.outcome === 'answered' ? asNotices(answer.body) : null;
  if (!notices) return;
  const keptAt = new Date(environment.now()).toISOString();
  await store.write(['answers', 'outbox'], async (tx) => {
    await tx.objectStore('answers').put({ key, value: notices, keptAt });
    await takeDecisions(tx, notices.decided, keptAt);
  });
}

function asNotices(body: unknown): FieldNotices | null {
  if (!isRecord(body) || !Array.isArray(body.conflicts) || !Array.isArray(body.decided)) return null;
  return body as FieldNotices;
}

const leftOut = 'A manager looked at this change and left it out.';

/** What a manager booked is saved; what was left out stays until the person has seen it. */
async function takeDecisions(tx: WriteTx, decided: FieldNotices['decided'], at: string): Promise<void> {
  const byId = new Map(decided.map(({ eventId, resolution }) => [eventId, resolution]));
  if (byId.size === 0) return;
  for (const status of ['needs_attention', 'refused'] as const) {
    const range = IDBKeyRange.bound([status, 0], [status, Number.MAX_SAFE_INTEGER]);
    for (const entry of await tx.objectStore('outbox').index('byStatus').getAll(range)) {
      const resolution = byId.get(entry.id);
      if (resolution === 'accepted') {
        await tx.objectStore('outbox').put({ ...entry, status: 'saved', reason: null, answeredAt: at });
      }
      if (resolution === 'dismissed') await tx.objectStore('outbox').put({ ...entry, reason: leftOut });
    }
  }
}

/** Own counts that differ from somebody else's, as last heard. */
export async function listCountNotices({ store }: { store: Store }): Promise<FieldNotices['conflicts']> {
  const kept = await store.read(['answers'], (tx) => tx.objectStore('answers').get(key));
  // Written above, after the guard.
  return kept ? (kept.value as FieldNotices).conflicts : [];
}
