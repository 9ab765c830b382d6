import { sql } from 'drizzle-orm';
import { counted } from '../../domain/counted.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import {
  countWrongSums,
  findWrongBalances,
  remakeSums,
  repairBalances,
  type WrongBalance,
} from '../inventory/service.ts';
import { clearSumsWithoutSlots, countWrongCounts, remakeCounts } from '../machines/service.ts';
import { clearSumsWithoutItems } from '../markets/service.ts';
import {
  countWrongDaySums,
  countWrongForeignDays,
  countWrongRefunds,
  countWrongSlotlessDays,
  rebuildDaySums,
  rebuildItemDays,
} from '../need/service.ts';
import { countWrongPaymentSums, rebuildPaymentSums } from '../payments/service.ts';
import { countWrongDailySums, rebuildDailySums } from '../sales/service.ts';
import { broken, type Check, good, warning } from './finding.ts';

const countIn = async (db: Db, statement: ReturnType<typeof sql>): Promise<number> =>
  (await firstRow<{ n: number }>(db, statement))?.n ?? 0;

export const balances: Check = {
  name: 'Stock',
  look: async ({ database: { db } }) => {
    const wrong = await findWrongBalances(db);
    if (wrong.length === 0) {
      const items = await countIn(db, sql`select count(*)::int as n from item_balances`);
      return good(`${counted(items, 'balance equals', 'balances equal')} the fold of the ledger.`);
    }
    return broken(
      `${counted(wrong.length, 'balance differs', 'balances differ')} from the ledger: ${wrong.slice(0, 5).map(difference).join('; ')}. Run milkrun doctor --repair to set what differs to it.`,
    );
  },
  repair: async ({ database: { db } }) => {
    const repaired = await repairBalances(db);
    return `${counted(repaired, 'balance was', 'balances were')} set to what the ledger says.`;
  },
};

/** What is wrong may be what people are shown, the balance behind it, or only the count that both start from. */
function difference({ itemType, itemId, shown, balance, folded }: WrongBalance): string {
  const isShownRight = shown === null || shown === Math.max(0, folded);
  const item = `${itemType} ${itemId}`;
  if (isShownRight && balance === folded) return `${item} starts from another count than the ledger`;
  return `${item} has ${(isShownRight ? balance : shown) ?? 'no balance'}, the ledger says ${folded}`;
}

export const keys: Check = {
  name: 'Ledger',
  look: async ({ database: { db } }) => {
    const lost = await countIn(
      db,
      sql`select count(*)::int as n from stock_movements m
          where not exists (select from event_keys k where k.event_id = m.event_id)`,
    );
    const all = await countIn(db, sql`select count(*)::int as n from stock_movements`);
    if (lost === 0) return good(`${counted(all, 'movement', 'movements')}, each with its key.`);
    return broken(
      `${counted(lost, 'movement has', 'movements have')} no key and could be booked twice. Restore the newest backup before today.`,
    );
  },
};

/** The sums kept with a location against its rows. */
export const sums: Check = {
  name: 'Sums',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongSums(db);
    if (wrong === 0) return good('Stock and low items of every location agree with its rows.');
    return broken(
      `${counted(wrong, 'location shows sums that differ from its', 'locations show sums that differ from their')} rows. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await remakeSums(db);
    await clearSumsWithoutSlots(db);
    await clearSumsWithoutItems(db);
    return 'The sums of every location were made anew.';
  },
};

/** How many machines there are by designation and status against the machines. */
export const counts: Check = {
  name: 'Counts',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongCounts(db);
    if (wrong === 0) return good('The numbers of machines that lists show agree with the machines.');
    return broken(
      `${counted(wrong, 'number of machines differs', 'numbers of machines differ')} from the machines. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await remakeCounts(db);
    return 'The numbers of machines were made anew.';
  },
};

/** The sums by day that reports read against the days of items. */
export const daySums: Check = {
  name: 'Days',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongDaySums(db);
    if (wrong === 0) return good('The sums by day that reports read agree with the days of each item.');
    return broken(
      `${counted(wrong, 'sum by day differs', 'sums by day differ')} from the days of the items. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await rebuildDaySums(db);
    return 'The sums by day were made anew.';
  },
};

/** The money and units by day that reports and the dashboard read against the sales. */
export const dailySums: Check = {
  name: 'Sales',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongDailySums(db);
    if (wrong === 0) return good('The daily sums of sales agree with the sales.');
    return broken(
      `${counted(wrong, 'daily sum of sales differs', 'daily sums of sales differ')} from the sales. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await rebuildDailySums(db);
    return 'The daily sums of sales were made anew.';
  },
};

/** What payment reports read by day, hour and place against the payments. */
export const paymentSums: Check = {
  name: 'Payments',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongPaymentSums(db);
    if (wrong === 0) return good('The sums of payments by day, hour and place agree with the payments.');
    return broken(`${wrong} sums of payments differ from the payments. Run milkrun doctor --repair.`);
  },
  repair: async ({ database: { db } }) => {
    await rebuildPaymentSums(db);
    return 'The sums of payments were made anew.';
  },
};

/** What was sold in no slot of today against the sales. */
export const slotless: Check = {
  name: 'History',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongSlotlessDays(db);
    if (wrong === 0) return good('What was sold in no slot of today is told by its place and product.');
    return broken(
      `${counted(wrong, 'day of what was sold in no slot differs', 'days of what was sold in no slot differ')} from the sales. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await rebuildItemDays(db);
    return 'The days of each item were made anew.';
  },
};

/** What no margin counts against the sales in other currencies. */
export const foreignUnits: Check = {
  name: 'Currencies',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongForeignDays(db);
    if (wrong === 0) return good('Margins leave out what was paid in another currency.');
    return broken(
      `${counted(wrong, 'day leaves', 'days leave')} out more or less than was paid in another currency. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await rebuildItemDays(db);
    return 'The days of each item were made anew.';
  },
};

/** What does not count as sold against the sales that were paid back. */
export const refunds: Check = {
  name: 'Refunds',
  look: async ({ database: { db } }) => {
    const wrong = await countWrongRefunds(db);
    if (wrong === 0) return good('The days of each item leave out what was paid back.');
    return broken(
      `${counted(wrong, 'day of an item leaves', 'days of items leave')} out more or less than was paid back. Run milkrun doctor --repair.`,
    );
  },
  repair: async ({ database: { db } }) => {
    await rebuildItemDays(db);
    return 'The days of each item were made anew.';
  },
};

export const review: Check = {
  name: 'Review',
  look: async ({ database: { db } }) => {
    const waiting = await countIn(db, sql`select count(*)::int as n from held_events where resolved_at is null`);
    if (waiting === 0) return good('No event of a phone waits for a decision.');
    return warning(
      `${counted(waiting, 'event of a phone waits', 'events of phones wait')} for a decision. A manager decides on the Dashboard.`,
    );
  },
};
