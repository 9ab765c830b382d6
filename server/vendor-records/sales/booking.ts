import { sql } from 'drizzle-orm';
import { checkPayment, type Hold, type Repair, repairSale } from '../../../domain/vendor-check.ts';
import { rows } from '../../db/database.ts';
import { noteMachinesSeen } from '../../machines/service.ts';
import { putBack, recordSales, refundSales, saleIdOf } from '../../sales/service.ts';
import type { Told } from '../batch.ts';
import type { SaleRow } from '../tables.ts';
import { findSaleFacts } from './facts.ts';
import { refundGivenBack } from './given-back.ts';
import { clearHeld, holdRecords } from './held.ts';
import { asTold, type Judged, judge } from './judging.ts';
import { isHeld, isOpen, isStored, isWaiting, setOutcome } from './outcome.ts';
import { noteRepaired } from './repaired.ts';
import { countOnce, keepPendingOnce, toldElsewhere, uncountElsewhere } from './told-twice.ts';

export type Booked = { booked: number; held: number };

/** What a person decided about a held sale, by the partner's id of it. */
export type Repairs = ReadonlyMap<string, Repair>;

type Ready = Judged & { row: SaleRow };

/** Books what is final, placed and believed; what is not stays waiting, or is held with the reason. */
export async function bookSales(told: Told, all: readonly SaleRow[], repairs: Repairs = new Map()): Promise<Booked> {
  const done = await book(told, all, repairs);
  await refundGivenBack(told, all.filter(isStored));
  return done;
}

async function book(told: Told, all: readonly SaleRow[], repairs: Repairs): Promise<Booked> {
  await refundBooked(told, all);
  await keepPendingOnce(told, all.filter(isOpen));
  const open = all.filter(isOpen);
  const paid = await settle(
    told,
    open.filter((row) => row.status === 'failed' || !row.movesStock),
    repairs,
  );
  const final = open.filter((row) => (row.status === 'completed' || row.status === 'refunded') && row.movesStock);
  if (final.length === 0) return paid;
  const facts = await findSaleFacts(told, final);
  const ready: Ready[] = [];
  const holds: { row: SaleRow; hold: Hold }[] = [];
  const ignored: SaleRow[] = [];
  const unplaced: SaleRow[] = [];
  for (const row of final) {
    const found = facts.get(row);
    if (!found || (!found.machineId && !found.marketId)) {
      if (found?.link === 'ignored') ignored.push(row);
      else if (isWaiting(row)) unplaced.push(row);
      continue;
    }
    const judged = judge(row, { found, repair: repairs.get(row.vendorId) ?? null, at: told.at });
    if ('hold' in judged) holds.push({ row, hold: judged.hold });
    else ready.push({ row, ...judged });
  }
  await setOutcome(told, ignored, 'none');
  await countOnce(told, unplaced, 'waiting');
  const done = await record(told, ready);
  await noteSellers(told, ready);
  holds.push(...done.disputed);
  await countOnce(
    told,
    holds.map(({ row }) => row),
    'held',
  );
  return { booked: paid.booked + done.booked, held: paid.held + (await holdRecords(told, holds)) };
}

/** What brings the ledger nothing is over when it is stored, unless its time cannot be: then its money waits for a person. */
async function settle(told: Told, settled: readonly SaleRow[], repairs: Repairs): Promise<Booked> {
  const twice = await toldElsewhere(
    told,
    settled.filter(({ status }) => status === 'failed'),
  );
  await setOutcome(told, twice, 'same');
  const rest = settled.filter((row) => !twice.includes(row));
  const holds = rest.flatMap((row) => {
    const hold = repairs.has(row.vendorId) ? null : checkPayment(asTold(row), row.createdAt);
    return hold ? [{ row, hold }] : [];
  });
  const doubted = holds.map(({ row }) => row);
  const believed = rest.filter((row) => !doubted.includes(row));
  const decided = believed.flatMap((row) => {
    const repair = repairs.get(row.vendorId);
    return repair ? [{ row, repaired: repairSale(asTold(row), repair) }] : [];
  });
  await noteRepaired(told, decided);
  await clearHeld(told, believed.filter(isHeld));
  await setOutcome(told, believed, 'none');
  await countOnce(told, doubted, 'held');
  return { booked: decided.length, held: await holdRecords(told, holds) };
}

const newsMs = 86_400_000;

/**
 * A machine that sells is alive, also where nothing else is told of it. Who was heard of since is not asked about, and of one never
 * heard of an old sale, as a backfill reads it, is history: it would be silent since then before the newer ones are read.
 */
async function noteSellers({ db, at }: Told, ready: readonly Ready[]): Promise<void> {
  const latest = new Map<number, Date>();
  for (const { sale, seenMs } of ready) {
    const { machineId, soldAt } = sale;
    if (machineId === null) continue;
    const knownMs = Math.max(seenMs ?? at.getTime() - newsMs, latest.get(machineId)?.getTime() ?? 0);
    if (soldAt.getTime() > knownMs) latest.set(machineId, soldAt);
  }
  await noteMachinesSeen(
    db,
    [...latest].map(([id, at]) => ({ id, at })),
  );
}

type Done = { booked: number; disputed: { row: SaleRow; hold: Hold }[] };

async function record(told: Told, ready: readonly Ready[]): Promise<Done> {
  if (ready.length === 0) return { booked: 0, disputed: [] };
  const outcomes = await recordSales(
    told.db,
    ready.map(({ sale }) => sale),
    told.at,
  );
  const by = (outcome: (typeof outcomes)[number]): Ready[] => ready.filter((_, at) => outcomes[at] === outcome);
  const different = by('different');
  const amounts = await findBookedAmounts(told, different);
  const isSame = ({ sale }: Ready): boolean => {
    const booked = amounts.get(saleIdOf(sale));
    return booked?.quantity === sale.quantity && Number(booked.amount) === Number(sale.totalAmount);
  };
  const recorded = by('recorded').map(({ row }) => row);
  const same = [...by('duplicate'), ...different.filter(isSame)].map(({ row }) => row);
  await setOutcome(told, recorded, 'booked');
  await uncountElsewhere(told, recorded);
  await noteProducts(told, by('recorded'));
  await setOutcome(told, same, 'same');
  await noteRepaired(told, [...by('recorded'), ...by('duplicate')]);
  await clearHeld(told, [...recorded, ...same].filter(isStored));
  const disputed = different
    .filter((one) => !isSame(one))
    .map(({ row, sale }) => {
      const first = amounts.get(saleIdOf(sale));
      const explanation = `Another system told this sale with ${first?.quantity} for ${first?.amount}; here it is ${sale.quantity} for ${sale.totalAmount}. The first stands: find out which is right, then take this amount or leave it out.`;
      return { row, hold: { reason: 'changed' as const, explanation, repair: null } };
    });
  return { booked: recorded.length, disputed };
}

/** Partners that know the slot alone: what the ledger found in it is said wherever the partner's row is shown. */
async function noteProducts({ db }: Told, booked: readonly Ready[]): Promise<void> {
  const nameless = booked.filter(({ row }) => row.productName === null);
  if (nameless.length === 0) return;
  const asked = nameless.map(({ sale }, nth) => ({ nth, event: saleIdOf(sale), at: sale.soldAt.toISOString() }));
  const found = await rows<{ nth: number; name: string }>(
    db,
    sql`select g.nth, s.product_name as name
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) g(nth int, event uuid, at timestamptz)
        join sales s on s.event_id = g.event and s.sale_date = g.at where s.product_name is not null`,
  );
  const named = found.flatMap(({ nth, name }) => {
    const row = nameless[nth]?.row;
    if (row) row.bookedProduct = name;
    return row && isStored(row) ? [{ id: row.id, name }] : [];
  });
  if (named.length === 0) return;
  await db.execute(
    sql`update vendor_sales v set booked_product = g.name
        from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) g(id bigint, name text) where v.id = g.id`,
  );
}

async function findBookedAmounts({ db }: Told, different: readonly Ready[]) {
  if (different.length === 0) return new Map<string, { quantity: number; amount: string }>();
  const ids = different.map(({ sale }) => saleIdOf(sale));
  const found = await rows<{ eventId: string; quantity: number; amount: string }>(
    db,
    sql`select event_id as "eventId", quantity, total_amount::text as amount from sales
        where event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
  return new Map(found.map((one) => [one.eventId, one]));
}

/** Sales in the ledger that the partner has paid back since, or that were declared void by whom they were booked from. */
async function refundBooked(told: Told, all: readonly SaleRow[]): Promise<void> {
  const back = all.filter(({ status, outcome }) =>
    outcome === 'booked' ? status === 'refunded' || status === 'failed' : outcome === 'same' && status === 'refunded',
  );
  if (back.length === 0) return;
  const named = (list: readonly SaleRow[]) =>
    list.map((row) => ({ source: row.ledgerSource, transactionId: row.ledgerId, line: row.ledgerLine }));
  await refundSales(told.db, named(back));
  if (!voidsNeverHappened.has(told.system)) return;
  const voided = back.filter(({ status }) => status === 'failed');
  await putBack(told.db, named(voided), told.at);
}

/**
 * A till voids what was rung up and not handed over. Card systems say failed as well of a payment that was turned down after
 * the product fell: there only the next count tells.
 */
const voidsNeverHappened: ReadonlySet<string> = new Set(['lightspeed']);
