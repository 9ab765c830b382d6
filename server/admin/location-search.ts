import { type SQL, sql } from 'drizzle-orm';
import { firstRow, rows } from '../db/database.ts';
import { countedLately, rememberMany } from '../db/many.ts';
import { containsWord } from '../db/statements/like.ts';
import type { Deps } from '../deps.ts';
import { toldAlike } from '../scope/service.ts';
import { listOf } from './item-search.ts';

type On = Pick<Deps, 'db' | 'clock'>;

/** What stands beside the texts of a place. */
export const besideOf = (place: SQL): SQL =>
  sql`coalesce(${place}.city, ''), coalesce(${place}.state, ''), coalesce(${place}.route_designation, '')`;

/** More machines than these are not listed. */
const mostListed = 1_000;

type Beside = { city: string; state: string; route: string; plain: string; machines: number };

/** What stands beside the name and address of machines: each combination once, and how many machines have it. */
const besideMachines = ({ db, clock }: On): Promise<Beside[]> =>
  toldAlike(
    { db, clock },
    { everything: true },
    {
      asked: ['beside machines'],
      read: () =>
        rows(
          db,
          // Without the offset each machine would be made plain.
          sql`select b.*, plain_text(concat_ws(' ', b.city, b.state, b.route)) as plain from (
                select ${besideOf(sql`v`)}, count(*)::int as machines from vending_machines v
                where v.deleted_at is null group by 1, 2, 3 offset 0) b(city, state, route, machines)`,
        ),
      ofMany: {
        rows: (beside) => beside.reduce((sum, { machines }) => sum + machines, 0),
        from: ['vending_machines'],
      },
    },
  );

/**
 * Living machines `v` whose texts say every word: the condition, told one by one or looked at one after the other, and how many they
 * are. Null: that was not counted.
 */
export type SaidMachines = { total: number | null; listed: SQL; oneByOne: SQL | null };

/** Of each word where it stands beside machines: in which cities, states and designations. */
function saidBeside(words: readonly string[], beside: readonly Beside[][]): SQL {
  const parts = words.map((word, n) => {
    const found = beside[n]?.map(({ city, state, route }) => ({ city, state, route })) ?? [];
    return sql`(${containsWord(sql`v.search_text`, word)} or (${besideOf(sql`v`)}) in (
      select b.city, b.state, b.route from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) b(city text, state text, route text)))`;
  });
  return sql.join(parts, sql` and `);
}

/**
 * By texts that lie side by side, where they are all that a word stands in. Where very many say the words, a page that is read in its
 * order is full after a few of them.
 */
export async function findSaidMachines(on: On, words: readonly string[]): Promise<SaidMachines> {
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
  const where = asked?.plain.map((word) => beside.filter((one) => word !== '' && one.plain.includes(word))) ?? [];
  if (where.some((found) => found.length > 0)) return { total: null, listed: saidBeside(words, where), oneByOne: null };
  const ofMany = (total: number): SaidMachines => ({
    total,
    listed: sql`v.id in (select t.machine_id from machine_texts t where t.living and ${says})`,
    oneByOne: sql`(select ${says} from machine_texts t where t.machine_id = v.id)`,
  });
  const counted = `machines that say ${JSON.stringify(words)}`;
  const known = countedLately(on, counted);
  if (known !== null) return ofMany(known);
  const found = await firstRow<{ total: number; ids: number[] | null }>(
    on.db,
    sql`select count(*)::int as total, to_jsonb((array_agg(t.machine_id))[1:${sql.raw(String(mostListed))}]) as ids
        from machine_texts t where t.living and ${says}`,
  );
  if (!found) throw new Error('A count has no row.');
  rememberMany(on, counted, found.total);
  if (found.total <= mostListed)
    return { total: found.total, listed: sql`v.id = any(${listOf(found.ids ?? [])}::int[])`, oneByOne: null };
  return ofMany(found.total);
}
