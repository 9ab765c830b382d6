import { type SQL, sql } from 'drizzle-orm';
import { firstRow, rows } from '../db/database.ts';
import { containsWord } from '../db/statements/like.ts';
import type { Deps } from '../deps.ts';
import { toldAlike } from '../scope/service.ts';
import { listOf } from './item-search.ts';

type On = Pick<Deps, 'db' | 'clock'>;

/** More machines than these are not listed. */
const mostListed = 1_000;

/** What stands beside the name and address of machines: each combination once, and how many machines have it. */
const besideMachines = ({ db, clock }: On): Promise<{ plain: string; machines: number }[]> =>
  toldAlike(
    { db, clock },
    { everything: true },
    {
      asked: ['beside machines'],
      read: () =>
        rows(
          db,
          // Without the offset each machine would be made plain.
          sql`select plain_text(concat_ws(' ', b.city, b.state, b.route_designation)) as plain, b.machines from (
                select v.city, v.state, v.route_designation, count(*)::int as machines from vending_machines v
                where v.deleted_at is null group by 1, 2, 3 offset 0) b`,
        ),
      ofMany: {
        rows: (beside) => beside.reduce((sum, { machines }) => sum + machines, 0),
        from: ['vending_machines'],
      },
    },
  );

/** Living machines `v` whose texts say every word: how many, and the condition, told one by one or looked at one after the other. */
export type SaidMachines = { total: number; listed: SQL; oneByOne: SQL | null };

/**
 * By texts that lie side by side, where they are all that a word stands in. Null: a word stands in a city, a state or a designation
 * as well. Where very many say the words, a page that is read in its order is full after a few of them.
 */
export async function findSaidMachines(on: On, words: readonly string[]): Promise<SaidMachines | null> {
  const says = sql.join(
    words.map((word) => containsWord(sql`t.plain`, word)),
    sql` and `,
  );
  const plain = sql.join(
    words.map((word) => sql`trim(plain_text(${word}::text))`),
    sql`, `,
  );
  const [beside, asked] = await Promise.all([
    besideMachines(on),
    firstRow<{ plain: string[] }>(on.db, sql`select jsonb_build_array(${plain}) as plain`),
  ]);
  if (asked?.plain.some((word) => beside.some((one) => one.plain.includes(word)))) return null;
  const found = await firstRow<{ total: number; ids: number[] | null }>(
    on.db,
    sql`select count(*)::int as total, to_jsonb((array_agg(t.machine_id))[1:${sql.raw(String(mostListed))}]) as ids
        from machine_texts t where t.living and ${says}`,
  );
  if (!found) return null;
  if (found.total <= mostListed)
    return { total: found.total, listed: sql`v.id = any(${listOf(found.ids ?? [])}::int[])`, oneByOne: null };
  return {
    total: found.total,
    listed: sql`v.id in (select t.machine_id from machine_texts t where t.living and ${says})`,
    oneByOne: sql`(select ${says} from machine_texts t where t.machine_id = v.id)`,
  };
}
