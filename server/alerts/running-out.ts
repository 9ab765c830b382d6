import { sql } from 'drizzle-orm';
import { dayWord, runsOutBefore } from '../../domain/need.ts';
import { moneyText } from '../../domain/units.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { locationNeeds, type Needed } from '../need/service.ts';
import { getOperator, today } from '../settings/service.ts';
import type { Parts, Turn } from './rest.ts';
import type { Cause } from './rule-queries.ts';

/** Machines reckoned at a time. */
const batch = 200;
/** Slots named in a message. */
const namedAtMost = 8;

/** Machines whose slots are expected to run out before the next visit, at a loss of so much money. */
export async function findRunningOut(deps: Parts, fromLoss: number): Promise<Cause[]> {
  const machines = await findActive(deps.db, deps.turn);
  const day = await today(deps.db, deps.clock);
  const { currency } = await getOperator(deps.db);
  const causes: Cause[] = [];
  for (let first = 0; first < machines.length; first += batch) {
    const places = machines
      .slice(first, first + batch)
      .map(({ id, name }) => ({ type: 'vending_machine' as const, id, name }));
    for (const needed of await locationNeeds(deps, places, null)) {
      const { need } = needed;
      if (need.runningOut === 0 || Number(need.lostMoney) < fromLoss) continue;
      const slots = endingOf(needed);
      const loss = moneyText(need.lostMoney, currency);
      const message = `${slots} before the visit ${dayWord(day, need.nextVisit)}, expected loss ${loss}`;
      causes.push({ machineId: need.id, slotId: null, message });
    }
    await deps.rest?.();
  }
  return causes;
}

function endingOf({ items, visits }: Needed): string {
  const names = items
    .filter((item) => item.row.onHand > 0 && runsOutBefore(item.need, visits))
    .map((item) => item.row.slotNumber ?? item.row.productName);
  const rest = names.length - namedAtMost;
  const listed = names.slice(0, namedAtMost).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${listed} ${names.length === 1 ? 'runs' : 'run'} out`;
}

function findActive(db: Db, { of, nth }: Turn = { of: 1, nth: 0 }): Promise<{ id: number; name: string }[]> {
  return rows(
    db,
    sql`select id, name from vending_machines
        where deleted_at is null and status = 'active' and id % ${of}::int = ${nth}::int order by id`,
  );
}
