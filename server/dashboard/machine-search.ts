import { and, asc, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { addressText } from '../db/statements/address-text.ts';
import { findMachineWords, hasWords } from '../machines/service.ts';
import { vendingMachines } from '../machines/tables.ts';
import { beginsFirst, isSaid, perKind, says, type Wanted } from './search-queries.ts';

const hasSigns = ({ words }: Wanted): boolean => words.flat().some((word) => !isSaid.test(word));

/**
 * By texts that lie side by side; only a sign by itself is looked for in the rows of machines. Who may see every machine needs the
 * rows of the first few only: those that begin with the text, and those that say it.
 */
export async function searchMachines(db: Db, scope: { everything: boolean; machines: SQL }, wanted: Wanted) {
  const lists = hasSigns(wanted) ? null : await findMachineWords(db, wanted.words);
  if (lists?.some((list) => list.length === 0)) return [];
  const { name, location, machineId, id } = vendingMachines;
  const address = addressText(sql`${vendingMachines}`);
  return db
    .select({ id, title: name, detail: sql<string>`concat_ws(', ', ${machineId}, ${location}, ${address})` })
    .from(vendingMachines)
    .where(and(scope.machines, isFound(lists, scope.everything, wanted)))
    .orderBy(beginsFirst(name, wanted), asc(name), asc(id))
    .limit(perKind);
}

function isFound(lists: string[][] | null, everything: boolean, wanted: Wanted): SQL {
  const { name, machineId, id, searchText } = vendingMachines;
  const raw = sql`(${name} || ' ' || ${machineId})`;
  if (hasSigns(wanted)) return says(sql`${searchText}`, raw, wanted);
  const saysAll = sql`t.living and ${says(sql`t.plain`, raw, wanted)}`;
  const condition = lists ? hasWords(lists) : saysAll;
  if (!everything) return sql`${id} in (select t.machine_id from machine_texts t where ${condition})`;
  const first = (where: SQL): SQL =>
    sql`(select t.machine_id from machine_texts t where ${where} order by t.name, t.machine_id limit ${perKind})`;
  // By the index of beginnings: names that begin with the text are few beside those that have its words.
  return sql`${id} in (${first(sql`lower(t.name) like lower(${wanted.beginning}) and ${saysAll}`)} union all ${first(condition)})`;
}
