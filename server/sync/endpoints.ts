import * as review from '../../contract/stock-review.ts';
import { getFieldDay, listChanges, pushEvents } from '../../contract/sync.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { changesSince } from './changes.ts';
import { fieldDay } from './field-day.ts';
import {
  acceptHeld,
  dismissHeld,
  fieldNotices,
  listReview,
  reopenConflict,
  reopenHeld,
  settleConflict,
} from './review.ts';
import { uploads } from './service.ts';

export function syncEndpoints(deps: Deps) {
  const takeUpload = uploads(deps);
  return [
    handle(pushEvents, async ({ caller, body }) => {
      const answer = await takeUpload(caller, body);
      for (const { status } of answer.results) deps.watch.syncEvents.add({ outcome: status });
      return answer;
    }),
    handle(listChanges, ({ caller, query }) => changesSince(deps, caller, query.cursor)),
    handle(getFieldDay, ({ caller }) => fieldDay(deps, caller)),
    handle(review.getFieldNotices, ({ caller }) => fieldNotices(deps, caller)),
    handle(review.listStockReview, () => listReview(deps)),
    handle(review.settleConflict, ({ caller, params, body }) =>
      settleConflict(deps, caller, { id: params.id, keep: body.keep }),
    ),
    handle(review.reopenConflict, ({ caller, params }) => reopenConflict(deps, caller, params.id)),
    handle(review.acceptHeld, ({ caller, params }) => acceptHeld(deps, caller, params.eventId)),
    handle(review.dismissHeld, ({ caller, params }) => dismissHeld(deps, caller, params.eventId)),
    handle(review.reopenHeld, ({ caller, params }) => reopenHeld(deps, caller, params.eventId)),
  ];
}
