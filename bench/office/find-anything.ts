import { sql } from 'drizzle-orm';
import { firstRow } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { compare, table } from '../measure.ts';
import { getter, signedIn } from '../signed-in.ts';

/** What is typed into the search of everything: a word, two in any order, a number, a barcode, a slip of the finger, nothing known. */
const typed = ['center', 'lobby center', 'MKT-007', '036000291452', 'cemter', 'no such thing anywhere'];

/** The search of everything over HTTP, signed in, against one machine by its id. */
export async function findAnything({ deps, address }: Running): Promise<string> {
  const machine = await firstRow<{ id: number }>(
    deps.db,
    sql`select id from vending_machines where deleted_at is null limit 1`,
  );
  const get = getter(address, await signedIn(deps));
  const asked = typed.map((text) => `/api/search?q=${encodeURIComponent(text)}`);
  const contenders = [`/api/vending-machines/${machine?.id}`, ...asked].map((path) => ({
    name: decodeURIComponent(path.replace(/^\/api\//, '')),
    call: () => get(path),
  }));
  return table('Find anything', contenders, await compare(contenders, { rounds: 3, calls: 20 }));
}
