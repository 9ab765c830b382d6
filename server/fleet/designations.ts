import { sql } from 'drizzle-orm';
import type { Designation } from '../../contract/settings.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { renameAccessDesignation } from '../access/service.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { renameDeviceDesignation } from '../devices/service.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { renameMachineDesignation } from '../machines/service.ts';
import { renameMarketDesignation } from '../markets/service.ts';
import { renamePeopleDesignation } from '../people/service.ts';
import { renameRouteDesignation } from '../route-planning/service.ts';
import { forgetDesignation, saveDesignation, today } from '../settings/service.ts';

/** Every designation that a place or a person carries, or that somebody named, and by how many it is carried. */
export function listDesignations(db: Db): Promise<Designation[]> {
  return rows<Designation>(
    db,
    sql`select name, sum(market)::int as markets, sum(machine)::int as machines, sum(person)::int as people,
          bool_or(retired) and sum(market + machine + person) = 0 as "isRetired"
        from (
          select route_designation as name, 1 as market, 0 as machine, 0 as person, false as retired
          from markets where deleted_at is null
          union all select route_designation, 0, machines, 0, false from machine_counts
          union all select route_designation, 0, 0, 1, false from users where is_active
          union all select name, 0, 0, 0, retired_at is not null from route_designations) all_of_them
        where name <> '' group by name order by name`,
  );
}

async function found(db: Db, name: string): Promise<Designation> {
  const one = (await listDesignations(db)).find((each) => each.name === name);
  if (!one) throw notFound('route designation');
  return one;
}

type Noted = { action: string; name: string; detail: Record<string, unknown> };

async function note(tx: Db, caller: Caller, { action, name, detail }: Noted): Promise<void> {
  await recordAudit(tx, caller, { action, objectType: 'designation', objectId: name, detail });
  await publish(tx, { topic: 'settings', ids: [] });
}

/** Until the transaction ends nobody else changes the list that the next step looks at. */
async function inTurn(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('route-designations'))`);
}

export function addDesignation(deps: Deps, caller: Caller, name: string): Promise<Designation> {
  return deps.db.transaction(async (tx) => {
    await inTurn(tx);
    await refuseTaken(tx, name);
    await saveDesignation(tx, name, null);
    await note(tx, caller, { action: 'designation.add', name, detail: {} });
    return found(tx, name);
  });
}

/** Two names that differ in case alone are one to people; the one that is being renamed is in nobody's way. */
async function refuseTaken(tx: Db, name: string, renamed: string | null = null): Promise<void> {
  const others = (await listDesignations(tx)).filter((one) => one.name !== renamed);
  const same = others.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!same) return;
  const sentence = same.isRetired
    ? `${same.name} was retired. Take it back in the list instead.`
    : `There is a route designation ${same.name} already.`;
  throw new AppError('conflict', sentence, { fields: { name: sentence } });
}

/** Renames a designation wherever it counts from now on. What was driven and sold under the old name keeps it. */
export function renameDesignation(
  deps: Deps,
  caller: Caller,
  { from, to }: { from: string; to: string },
): Promise<Designation> {
  return deps.db.transaction(async (tx) => {
    await inTurn(tx);
    const before = await found(tx, from);
    await refuseTaken(tx, to, from);
    await renameMarketDesignation(tx, from, to);
    await renameMachineDesignation(tx, from, to);
    await renamePeopleDesignation(tx, from, to);
    await renameAccessDesignation(tx, from, to);
    await renameDeviceDesignation(tx, from, to);
    await renameRouteDesignation(tx, { from, to, since: await today(tx, deps.clock) });
    await forgetDesignation(tx, from);
    await saveDesignation(tx, to, before.isRetired ? deps.clock.now() : null);
    await note(tx, caller, { action: 'designation.rename', name: to, detail: { name: [from, to] } });
    for (const topic of ['markets', 'machines', 'routes'] as const) await publish(tx, { topic, ids: [] });
    return found(tx, to);
  });
}

type Retiring = { name: string; retired: boolean };

/** Retires a designation that nothing carries, or takes it back. */
export function retireDesignation(deps: Deps, caller: Caller, { name, retired }: Retiring): Promise<Designation> {
  return deps.db.transaction(async (tx) => {
    await inTurn(tx);
    const { markets, machines, people } = await found(tx, name);
    const carried = markets + machines + people;
    if (retired && carried > 0) {
      const counts = [
        [markets, 'market'],
        [machines, 'machine'],
        [people, 'person'],
      ] as const;
      const by = counts.filter(([n]) => n > 0).map(([n, noun]) => `${n} ${n === 1 ? noun : plural(noun)}`);
      throw new AppError('conflict', `${name} is carried by ${by.join(', ')}. Give them another one first.`);
    }
    await saveDesignation(tx, name, retired ? deps.clock.now() : null);
    await note(tx, caller, { action: retired ? 'designation.retire' : 'designation.restore', name, detail: {} });
    return found(tx, name);
  });
}

const plural = (noun: string): string => (noun === 'person' ? 'people' : `${noun}s`);
