import type { DayEnd, DayWork } from '../../contract/day-ends.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { findDayBags, findDayEnds, findDayMovements, type NewDayEnd, upsertDayEnd } from './queries.ts';

/** Stores that a driver finished a day, in the transaction that takes in the phone's events. */
export async function saveDayEnd(tx: Db, end: NewDayEnd): Promise<void> {
  await upsertDayEnd(tx, end);
  await recordAudit(
    tx,
    { userId: end.userId, address: '' },
    {
      action: 'day.end',
      objectType: 'user',
      objectId: end.userId,
      detail: { date: end.event.date, at: end.endedAt.toISOString(), unsent: end.event.unsent },
    },
  );
  await publish(tx, { topic: 'routes', routes: [], users: [end.userId] });
}

/** The finished days of a date that the person may see: a field worker the own, everybody else all. */
export function listDayEndsOf({ db }: Deps, caller: Caller, date: string): Promise<DayEnd[]> {
  return findDayEnds(db, date, caller.role === 'field_worker' ? caller.userId : null);
}

/** A person's own day as the server has it: a phone signed in to at midday knows nothing of the morning by itself. */
export async function dayWorkOf({ db }: Deps, { userId }: Caller, date: string): Promise<DayWork> {
  const { timeZone } = await getOperator(db);
  const movements = await findDayMovements(db, userId, { date, timeZone });
  const visitIds = [...new Set(movements.flatMap(({ visitId }) => visitId ?? []))];
  return { date, movements, visits: await findDayBags(db, userId, { date, visitIds }) };
}
