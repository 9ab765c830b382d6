import * as contract from '../../contract/imports.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { listImports, undoImport } from './service.ts';

export function pastImportEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listImports, ({ query }) => listImports(deps, query.before ?? null)),
    handle(contract.undoImport, ({ caller, params }) => undoImport(deps, caller, params.id)),
  ];
}
