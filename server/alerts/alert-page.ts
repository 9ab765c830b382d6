import { and, eq, isNotNull, isNull, notInArray, type SQL, sql } from 'drizzle-orm';
import { type AlertState, knownAlertKinds, reportedAlerts } from '../../domain/alert-rules.ts';
import { firstRow, rows } from '../db/database.ts';
import { countedLately, rememberMany } from '../db/many.ts';
import { atMost, plannedOnce } from '../db/postgres/kept-plans.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { type Told, writtenOnce } from '../db/statements/told.ts';
import type { Deps } from '../deps.ts';
import { vendingMachines } from '../machines/tables.ts';
import { machineInScope, type Scope } from '../scope/service.ts';
import { type AlertRow, listedFields } from './queries.ts';
import { machineAlerts } from './tables.ts';

export type AlertFilter = {
  state: AlertState;
  severity?: string | undefined;
  type?: string | undefined;
  route?: string | undefined;
  machine?: number | undefined;
  q?: string | undefined;
  sort: 'newest' | 'gravest';
  cursor?: number | undefined;
  limit: number;
};

const inState: Record<AlertState, SQL | undefined> = {
  all: undefined,
  open: isNull(machineAlerts.resolvedAt),
  new: and(isNull(machineAlerts.resolvedAt), eq(machineAlerts.acknowledged, false)),
  acknowledged: and(isNull(machineAlerts.resolvedAt), eq(machineAlerts.acknowledged, true)),
  resolved: isNotNull(machineAlerts.resolvedAt),
};

/** What is asked of the alerts alone, and what only their machines tell. */
type Matching = { ofAlerts: SQL; ofMachines: SQL | undefined };

const ofKind = (type: string): SQL =>
  type === reportedAlerts
    ? notInArray(machineAlerts.alertType, [...knownAlertKinds])
    : eq(machineAlerts.alertType, type);

function matching({ state, severity, type, route, machine }: AlertFilter): Matching {
  const ofAlerts = and(
    inState[state],
    severity ? eq(machineAlerts.severity, severity) : undefined,
    type ? ofKind(type) : undefined,
    machine ? eq(machineAlerts.machineId, machine) : undefined,
  );
  return {
    ofAlerts: ofAlerts ?? sql`true`,
    ofMachines: route ? eq(vendingMachines.routeDesignation, route) : undefined,
  };
}

const byAge = [sql`${machineAlerts.createdAt}`, sql`${machineAlerts.id}`];
/** Word for word as in its index. */
const gravity = sql`array_position(array['low', 'medium', 'high', 'critical'], ${machineAlerts.severity}::text)`;

/**
 * How many alerts match of machines that are there. Who sees every machine and filters by the alert alone is told without
 * looking at the machines: those of the few that are gone are taken off.
 */
function countAlerts(scope: Scope, { ofAlerts, ofMachines }: Matching): SQL {
  if (!scope.everything || ofMachines)
    return sql`select count(*)::int from ${source} where ${and(machineInScope(scope), ofAlerts, ofMachines)}`;
  const gone = sql`select count(*) from ${vendingMachines} cross join lateral (
    select ${machineAlerts.id} from ${machineAlerts} where ${machineAlerts.machineId} = ${vendingMachines.id} and ${ofAlerts}
    offset 0) a where ${vendingMachines.deletedAt} is not null`;
  return sql`select ((select count(*) from ${machineAlerts} where ${ofAlerts}) - (${gone}))::int`;
}

const source = writtenOnce(
  sql`${machineAlerts} join ${vendingMachines} on ${vendingMachines.id} = ${machineAlerts.machineId}`,
);

/**
 * The alerts with every word in their message or in what their machine is called, found once for the page and for how many there
 * are: a word may be in none of the newest. Machines are looked for in their narrow texts; their own rows are wide.
 */
function searched(scope: Scope, { ofAlerts, ofMachines }: Matching, words: readonly string[]): SQL {
  const { machineId, searchText } = machineAlerts;
  const said = words.map((word) => {
    const called = sql`select t.machine_id from machine_texts t where ${containsWord(sql`t.plain`, word)}`;
    return sql`(${containsWord(sql`${searchText}`, word)} or ${machineId} in (${called}))`;
  });
  const machines = sql`select ${vendingMachines.id} from ${vendingMachines} where`;
  const isSeen =
    scope.everything && !ofMachines
      ? sql`${machineId} not in (${machines} ${vendingMachines.deletedAt} is not null)`
      : sql`${machineId} in (${machines} ${and(machineInScope(scope), ofMachines)})`;
  return sql`select ${machineAlerts.id}, ${machineAlerts.createdAt}, ${machineAlerts.severity} from ${machineAlerts}
    where ${ofAlerts} and ${isSeen} and ${sql.join(said, sql` and `)}`;
}

/** The same of one alert after the other: where thousands match, a page is full after some hundreds. */
const saidByEach = (words: readonly string[]): SQL[] =>
  words.map((word) => {
    const isCalled = containsWord(sql`t.plain`, word);
    const { machineId, searchText } = machineAlerts;
    return sql`(${containsWord(sql`${searchText}`, word)}
      or (select ${isCalled} from machine_texts t where t.machine_id = ${machineId}))`;
  });

/** What is counted, where that is the same for all who see everything and asked by all of them. */
const countOf = ({ state, severity, type, q }: AlertFilter): string =>
  `alerts ${JSON.stringify([state, severity, type, ...wordsOf(q)])}`;

/** One page of alerts in the order asked for, and how many match. The cursor is the last alert of the page before. */
export async function findAlertPage(deps: Pick<Deps, 'db' | 'clock'>, scope: Scope, filter: AlertFilter) {
  const { db } = deps;
  const wanted = matching(filter);
  const words = wordsOf(filter.q);
  const order = filter.sort === 'gravest' ? [gravity, ...byAge] : byAge;
  const place = sql.join(order, sql`, `);
  const after = filter.cursor
    ? sql`(${place}) < (select ${place} from ${machineAlerts} where ${machineAlerts.id} = ${filter.cursor})`
    : undefined;
  const isOfAll = scope.everything && !filter.route && filter.machine === undefined;
  const known = isOfAll ? countedLately(deps, countOf(filter)) : null;
  const isLookedUp = words.length > 0 && known === null;
  const common = isLookedUp ? sql`with hit as materialized (${searched(scope, wanted, words)})` : sql``;
  const counted = isLookedUp ? sql`select count(*)::int from hit` : countAlerts(scope, wanted);
  const total = known === null ? sql`(${counted})` : sql`${known}::int`;
  const down = sql.join(
    order.map((value) => sql`${value} desc`),
    sql`, `,
  );
  const window = sql`${after ?? sql`true`} order by ${down} limit ${atMost(filter.limit)}`;
  const condition = isLookedUp
    ? // Under the name of the table, so that the order means its columns.
      sql`${machineAlerts.id} in (select ${machineAlerts.id} from hit ${machineAlerts} where ${window})`
    : and(machineInScope(scope), wanted.ofAlerts, wanted.ofMachines, ...saidByEach(words));
  const statement = sql`
    ${common} select ${listedFields}, ${total} as total from ${source} where ${condition} and ${window}`;
  const alerts = await rows<Told<AlertRow> & { total: number }>(
    db,
    words.length > 0 ? statement : plannedOnce(statement),
  );
  if (isOfAll && known === null) rememberMany(deps, countOf(filter), alerts[0]?.total ?? 0);
  // Without a row to bring it, it is asked for: the rows of this page may have gone since the page before.
  if (alerts[0] || !after) return { alerts, total: alerts[0]?.total ?? 0 };
  return {
    alerts,
    total: (await firstRow<{ total: number }>(db, sql`${common} select ${total} as total`))?.total ?? 0,
  };
}
