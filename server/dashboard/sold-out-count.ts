import type { Deps } from '../deps.ts';
import { machineInScope, type Scope } from '../scope/service.ts';
import { countSoldOutMachines } from './exception-queries.ts';

/** From here on the list shows but the worst of them, and one more or less cannot be told by it. */
const many = 1_000;
const keepMs = 5_000;

const kept = new WeakMap<Deps['db'], { at: number; total: number }>();

/** Machines with sold-out slots. Where they are thousands, counting costs more than all else that needs a person, so their number may be five seconds old. */
export async function soldOutCount({ db, clock }: Pick<Deps, 'db' | 'clock'>, scope: Scope): Promise<number> {
  if (!scope.everything) return countSoldOutMachines(db, machineInScope(scope));
  const now = clock.now().getTime();
  const known = kept.get(db);
  if (known && now - known.at < keepMs) return known.total;
  const total = await countSoldOutMachines(db, machineInScope(scope));
  if (total < many) kept.delete(db);
  else kept.set(db, { at: now, total });
  return total;
}
