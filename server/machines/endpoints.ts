import { z } from 'zod';
import * as contract from '../../contract/machines.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { type Handled, handle } from '../http/handle.ts';
import {
  createMachine,
  getMachineRecord,
  listMachines,
  pageOfMachines,
  removeMachine,
  updateMachine,
} from './service.ts';

/** Machines themselves; what is in their slots is answered by inventory. */
export function machineEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listMachines, ({ caller, query }) => listMachines(deps, caller, query.route ?? null)),
    handle(contract.machinePage, ({ caller, query }) => pageOfMachines(deps, caller, query)),
    handle(contract.getMachine, ({ caller, params }) => getMachineRecord(deps, caller, params.id)),
    handle(contract.createMachine, ({ caller, body }) => createMachine(deps, caller, body)),
    handle(contract.updateMachine, ({ caller, params, body, request }) => {
      const { version } = parseEditHeaders({ 'if-match': versionIn(request.body), ...request.headers });
      return updateMachine(deps, caller, params.id, { input: body, version });
    }),
    handle(contract.removeMachine, ({ caller, params }) => removeMachine(deps, caller, params.id)),
  ];
}

/** The state that a machine sent back whole was read in: of the edits since, none is undone. */
function versionIn(body: unknown): string | undefined {
  const read = z.object({ updatedAt: z.iso.datetime() }).safeParse(body);
  return read.success ? String(Date.parse(read.data.updatedAt)) : undefined;
}
