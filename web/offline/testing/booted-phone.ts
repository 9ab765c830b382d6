import type { Answer, Call } from '../environment.ts';
import { createOffline, type Offline } from '../offline.ts';
import { putDrafts } from '../outbox/drafts.ts';
import type { DraftChange } from '../outbox/records.ts';
import { FakeClock, fakeEnvironment } from './fake-phone.ts';

let databases = 0;

export type BootedPhone = { clock: FakeClock; offline: Offline; calls: Call[] };

/** A phone with an empty disk whose calls are answered by a function. */
export function bootPhone(answer: (call: Call) => Answer | Promise<Answer>): BootedPhone {
  const clock = new FakeClock();
  const calls: Call[] = [];
  const transport = async (call: Call) => {
    // What a refresh asks beside the copy of the stock: without an answer it goes on.
    if (/^\/api\/(field-notices|day-work)/.test(call.path)) return refusal(404);
    calls.push(call);
    return answer(call);
  };
  const offline = createOffline(fakeEnvironment(clock, transport, `booted-${++databases}`));
  return { clock, offline, calls };
}

export const testLocation = { type: 'market', id: 1 } as const;

/** Types a change of an item as a screen would. */
export async function typeChange(phone: BootedPhone, itemId: number, change: Partial<DraftChange> = {}): Promise<void> {
  await putDrafts(phone.offline.store, [
    {
      userId: 1,
      itemType: 'market_item',
      itemId,
      location: testLocation,
      locationKey: 'market:1',
      productName: `Item ${itemId}`,
      shown: 0,
      change: { kind: 'count', quantity: itemId, reason: 'manual_count', ...change },
      earlier: [],
      changedAt: new Date(phone.clock.now()).toISOString(),
    },
  ]);
}

export const unreachable: Answer = { outcome: 'unreachable' };

export function refusal(status: number, retryAfterMs: number | null = null): Answer {
  return { outcome: 'refused', status, detail: 'No.', isProblem: true, retryAfterMs };
}
