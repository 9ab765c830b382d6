import * as contract from '../../contract/visits.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { findMissing } from './queries.ts';
import { listVisits } from './service.ts';

export const visitEndpoints = (deps: Deps): Handled[] => [
  handle(contract.listVisits, ({ caller, query }) => {
    const { type, id, before, limit } = query;
    return listVisits(deps, caller, { type, id }, { before: before ?? null, limit });
  }),
  handle(contract.listMissingPhotos, async ({ body }) => ({ missing: await findMissing(deps.db, body.hashes) })),
];
