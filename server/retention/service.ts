import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { writeOpenings } from '../inventory/service.ts';
import { hashOf, nameMonth, removeBrokenOff, writeMonth } from './month-file.ts';
import { dropMonth, listRolledUp, monthsBefore, nextPart, type Parent, parents, partitionOf } from './queries.ts';

const folderOf = (dataFolder: string): string => path.join(dataFolder, 'months');

/** First day of the oldest month that stays, UTC. */
export function borderOf(at: Date, monthsKept: number): string {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - monthsKept, 1)).toISOString().slice(0, 10);
}

type Needs = Pick<Deps, 'db' | 'clock'> & {
  env: Pick<Deps['env'], 'ledgerMonths' | 'dataFolder'>;
  log: Pick<Deps['log'], 'info'>;
  /** Of a file while it is written. */
  newId?: () => string;
};

/**
 * Takes months of the ledger and the sales that are older than wanted out of the database: their rows go into files, and the
 * ledger begins with a count of every item. Balances, sums and reports stay as they are. Oldest month first, each by itself: what is
 * refused, since a row came in late or a reader would not let go, is taken up again the next night.
 */
export async function rollUpOldMonths(deps: Needs): Promise<string[]> {
  const { db, env, clock } = deps;
  if (env.ledgerMonths === 0) return [];
  const border = borderOf(clock.now(), env.ledgerMonths);
  const done: string[] = [];
  await removeBrokenOff(folderOf(env.dataFolder));
  for (const parent of parents) {
    const months = await monthsBefore(db, parent, border);
    if (months.length === 0) continue;
    if (parent === 'stock_movements') await writeOpenings(db, border);
    for (const month of months) {
      await rollUp(deps, parent, month);
      done.push(partitionOf(parent, month));
    }
  }
  if (done.length > 0)
    deps.log.info({ months: done }, 'old months were written to files and taken out of the database');
  return done;
}

async function rollUp({ db, env, clock, newId = randomUUID }: Needs, parent: Parent, month: string): Promise<void> {
  const part = await nextPart(db, parent, month);
  const name = `${partitionOf(parent, month)}${part === 1 ? '' : `-${part}`}.jsonl.gz`;
  const file = path.join(folderOf(env.dataFolder), name);
  const { unfinished, ...written } = await writeMonth(db, { parent, month }, { file, id: newId() });
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      // Whoever waits for a long reader makes everybody behind it wait: then rather tomorrow.
      await tx.execute(sql`set local lock_timeout = '1s'`);
      await dropMonth(tx, { parent, month, part, file: name, rolledUpAt: clock.now(), ...written });
      // Only now is it sure that nobody else has rolled up this part, and that the rows are all in this file.
      await nameMonth(unfinished, file);
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

type MonthFiles = { months: number; missing: string[]; changed: string[]; folder: string };

/** The files of months that were rolled up, against what was written. */
export async function examineMonthFiles(db: Db, dataFolder: string): Promise<MonthFiles> {
  const folder = folderOf(dataFolder);
  const all = await listRolledUp(db);
  const missing: string[] = [];
  const changed: string[] = [];
  for (const { file, sha256 } of all) {
    const found = await hashOf(path.join(folder, file));
    if (found === null) missing.push(file);
    else if (found !== sha256) changed.push(file);
  }
  return { months: all.length, missing, changed, folder };
}
