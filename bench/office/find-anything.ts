import { sql } from 'drizzle-orm';
import { signInAs } from '../../server/auth/service.ts';
import { firstRow } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { compare, table } from '../measure.ts';

/** What is typed into the search of everything: a word, two in any order, a number, a barcode, a slip of the finger, nothing known. */
const typed = ['center', 'lobby center', 'MKT-007', '036000291452', 'cemter', 'no such thing anywhere'];

/** The search of everything over HTTP, signed in, against one machine by its id. */
export async function findAnything({ deps, address }: Running): Promise<string> {
  const manager = await firstRow<{ id: number }>(
    deps.db,
    sql`select id from users where role = 'route_manager' limit 1`,
  );
  const machine = await firstRow<{ id: number }>(
    deps.db,
    sql`select id from vending_machines where deleted_at is null limit 1`,
  );
  const cookie = await signInAs(deps, manager?.id ?? 0);
  const get = async (path: string): Promise<void> => {
    const reply = await fetch(address + path, { headers: { cookie } });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
    await reply.arrayBuffer();
  };
  const asked = typed.map((text) => `/api/search?q=${encodeURIComponent(text)}`);
  const contenders = [`/api/vending-machines/${machine?.id}`, ...asked].map((path) => ({
    name: decodeURIComponent(path.replace(/^\/api\//, '')),
    call: () => get(path),
  }));
  return table('Find anything', contenders, await compare(contenders, { rounds: 3, calls: 20 }));
}
