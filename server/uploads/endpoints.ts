import * as contract from '../../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { getUpload, removeUpload, runUpload } from './service.ts';

export function uploadEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getImport, ({ caller, params, query }) =>
      getUpload(deps, caller, { id: params.id, kind: query.kind ?? null }),
    ),
    handle(contract.runImport, ({ caller, params, body }) => runUpload(deps, caller, { id: params.id, ...body })),
    handle(contract.removeImport, async ({ caller, params }) => {
      await removeUpload(deps, caller, params.id);
      return {};
    }),
  ];
}
