import { countMany } from '../db/many.ts';
import type { Deps } from '../deps.ts';
import { machineInScope, type Scope } from '../scope/service.ts';
import { countSoldOutMachines } from './exception-queries.ts';

/** Machines with sold-out slots; of thousands the list shows but the worst. */
export async function soldOutCount(deps: Pick<Deps, 'db' | 'clock'>, scope: Scope): Promise<number> {
  const count = () => countSoldOutMachines(deps.db, machineInScope(scope));
  return scope.everything ? countMany(deps, 'sold-out machines', count) : count();
}
