import type { CashBag, PaymentDifference, ReconciliationReport } from '../../contract/reconciliation.ts';
import { AppError } from '../../domain/errors.ts';
import { type Difference, type DifferenceKind, differenceText } from '../../domain/reconciliation.ts';
import { fromHundredths, lessMoney, sumOfMoney } from '../../domain/units.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { type Asked, rangeOf } from '../payments/service.ts';
import { getOperator } from '../settings/service.ts';
import { compare, hasDifference } from './comparison.ts';
import { readPayoutFile } from './payout-file.ts';
import {
  type BagRow,
  deleteSettled,
  findBags,
  findPlaceNames,
  findSalesFrom,
  findSettled,
  insertPayouts,
  insertSettled,
  type NamedPlace,
  type SettledRow,
  saveCash,
} from './queries.ts';

const dayMs = 86_400_000;
const mostShown = 500;

export async function reconciliationReport(deps: Deps, asked: Asked): Promise<ReconciliationReport> {
  const { db } = deps;
  const range = await rangeOf(deps, asked);
  const { timeZone, currency } = await getOperator(db);
  const span = { range, timeZone, currency };
  const { differences, ...counts } = await compare(db, span);
  const places = await namesOf(db, differences);
  const settled = new Map((await findSettled(db)).map((row) => [row.key, row]));
  const now = deps.clock.now().getTime();
  const told = differences
    .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
    .map((one) => toDifference(one, { places, settled: settled.get(one.key) ?? null, now }));
  const open = told.filter((one) => one.settled === null);
  const accepted = told.filter((one) => one.settled !== null);
  const bags = (await findBags(db, span)).map(toBag);
  return {
    ...{ range, salesFrom: await findSalesFrom(db, span), ...counts },
    ...{ open: open.length, openAmount: sumOfMoney(open.map((one) => one.amount)), settled: accepted.length },
    differences: [...open, ...accepted].slice(0, mostShown),
    bags,
    byRoute: overShortBy(bags, (bag) => (bag.route === null ? 'No route' : `Route ${bag.route}`)),
    byDriver: overShortBy(bags, (bag) => bag.driver ?? 'Unknown'),
  };
}

async function namesOf(db: Db, differences: readonly Difference[]): Promise<Map<string, NamedPlace>> {
  const asked = new Set(differences.flatMap(({ place }) => (place === null ? [] : [place])));
  return new Map((await findPlaceNames(db, [...asked])).map((one) => [one.place, one]));
}

type About = {
  places: ReadonlyMap<string, NamedPlace>;
  settled: SettledRow | null;
  now: number;
};

function toDifference(one: Difference, { places, settled, now }: About): PaymentDifference {
  const found = one.place === null ? undefined : places.get(one.place);
  return {
    key: one.key,
    kind: one.kind,
    ...differenceText[one.kind],
    reference: (one.payment ?? one.sale ?? one.payout ?? '').split('|').at(-1) ?? '',
    location: found ? { type: found.type, id: found.id, name: found.name } : null,
    amount: fromHundredths(BigInt(Math.round(one.amount))),
    at: new Date(one.at).toISOString(),
    ageDays: Math.max(0, Math.floor((now - one.at) / dayMs)),
    settled: settled ? { by: settled.by, at: settled.at, note: settled.note } : null,
  };
}

function toBag(row: BagRow): CashBag {
  const { locationType, locationId, name, ...bag } = row;
  const isKnown = bag.expected !== null && bag.counted !== null;
  return {
    ...bag,
    location: name === null ? null : { type: locationType, id: locationId, name },
    difference: isKnown ? lessMoney(bag.counted ?? '0.00', bag.expected ?? '0.00') : null,
  };
}

/** Over and short of the bags that were counted and have something to be compared with. */
function overShortBy(bags: readonly CashBag[], nameOf: (bag: CashBag) => string) {
  const groups = new Map<string, CashBag[]>();
  for (const bag of bags) {
    if (bag.difference !== null) groups.set(nameOf(bag), [...(groups.get(nameOf(bag)) ?? []), bag]);
  }
  return [...groups].sort().map(([name, all]) => ({
    ...{ name, bags: all.length, expected: sumOfMoney(all.map((bag) => bag.expected ?? '0.00')) },
    counted: sumOfMoney(all.map((bag) => bag.counted ?? '0.00')),
    difference: sumOfMoney(all.map((bag) => bag.difference ?? '0.00')),
  }));
}

type Settling = { key: string; kind: DifferenceKind; note?: string | undefined; at?: string | undefined };

/** Around the instant that the list tells of it; without one, in as many days as a report can be asked for by name. */
async function isDifference(deps: Deps, { key, kind, at }: Settling): Promise<boolean> {
  const { timeZone, currency } = await getOperator(deps.db);
  if (at !== undefined) return hasDifference(deps.db, { key, kind }, { timeZone, currency, at: new Date(at) });
  const range = await rangeOf(deps, { range: 'quarter' });
  const { differences } = await compare(deps.db, { range, timeZone, currency });
  return differences.some((one) => one.key === key && one.kind === kind);
}

export async function settleDifference(
  deps: Deps,
  caller: Caller,
  { key, kind, note, at }: Settling,
): Promise<{ key: string }> {
  if (!(await isDifference(deps, { key, kind, at }))) {
    const sentence = 'There is no such difference, or not any more. Read the list again and take one that is in it.';
    throw new AppError('not-found', sentence, { fields: { key: sentence } });
  }
  await deps.db.transaction(async (tx) => {
    await insertSettled(tx, { key, kind, note: note || null, by: caller.userId, at: deps.clock.now() });
    await recordAudit(tx, caller, { action: 'payment-difference.settle', detail: { key, kind, note: note ?? null } });
    await publish(tx, { topic: 'sales' });
  });
  return { key };
}

export async function reopenDifference(deps: Deps, caller: Caller, key: string): Promise<{ key: string }> {
  await deps.db.transaction(async (tx) => {
    if (!(await deleteSettled(tx, key))) throw new AppError('not-found', 'This difference is open already.');
    await recordAudit(tx, caller, { action: 'payment-difference.reopen', detail: { key } });
    await publish(tx, { topic: 'sales' });
  });
  return { key };
}

type File = { system: string; name: string; content: string };

export async function importPayouts(deps: Deps, caller: Caller, { system, name, content }: File) {
  const { lines, refused } = readPayoutFile(name, content);
  if (lines.length === 0 && refused.length === 0) throw new AppError('invalid-input', 'The file has no payouts.');
  const added = await deps.db.transaction(async (tx) => {
    const count = await insertPayouts(tx, lines, { system, by: caller.userId, at: deps.clock.now() });
    const detail = { system, file: name, added: count, refused: refused.length };
    await recordAudit(tx, caller, { action: 'payout-file.import', detail });
    await publish(tx, { topic: 'sales' });
    return count;
  });
  return { added, known: lines.length - added, refused: refused.slice(0, 50) };
}

export async function countCash(deps: Deps, caller: Caller, visitId: string, counted: string | null) {
  await deps.db.transaction(async (tx) => {
    const isKnown = await saveCash(tx, visitId, { counted, by: caller.userId, at: deps.clock.now() });
    if (!isKnown) throw new AppError('not-found', 'This visit brought no bag.');
    await recordAudit(tx, caller, { action: 'cash-bag.count', detail: { visitId, counted } });
    await publish(tx, { topic: 'sales' });
  });
  return { visitId, counted };
}
