import * as contract from '../../contract/dex.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { addRead, getRead, linksOf, listReads, saveLinks } from './reads.ts';

export function dexEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listDexReads, ({ caller, params, query }) =>
      listReads(deps, caller, params.id, { cursor: query.cursor ?? null, limit: query.limit }),
    ),
    handle(contract.getDexRead, ({ caller, params }) => getRead(deps, caller, params)),
    handle(contract.addDexRead, ({ caller, params, body }) => addRead(deps, caller, params.id, body)),
    handle(contract.getDexLinks, ({ caller, params }) => linksOf(deps, caller, params.id)),
    handle(contract.saveDexLinks, ({ caller, params, body }) => saveLinks(deps, caller, params.id, body.links)),
  ];
}
