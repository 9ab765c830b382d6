import { sql } from 'drizzle-orm';
import { firstRow } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { compare, table } from '../measure.ts';
import { getter, signedIn } from '../signed-in.ts';

/** What the office's lists are asked on opening, searching, sorting and paging. */
const asked = [
  '/api/inventory/page',
  '/api/inventory/page?stock=low',
  '/api/inventory/page?search=water',
  '/api/inventory/page?search=chips%20center',
  '/api/inventory/page?search=no%20such%20thing',
  '/api/inventory/page?sort=product&search=a',
  '/api/inventory/page?sort=market',
  '/api/inventory/page?sort=-stock',
  '/api/inventory/page?sort=restocked',
  '/api/inventory/page?market=1',
  '/api/inventory/summary',
  '/api/markets/with-inventory/page',
  '/api/markets/with-inventory/page?search=center',
  '/api/markets/with-inventory/page?sort=-updated',
  '/api/markets/with-inventory/summary',
  '/api/products?search=wat&limit=12',
];

/** The first rows of the office's lists over HTTP, signed in, against one item by its id. */
export async function officeLists({ deps, address }: Running): Promise<string> {
  const item = await firstRow<{ id: number }>(
    deps.db,
    sql`select id from inventory_items where deleted_at is null limit 1`,
  );
  const get = getter(address, await signedIn(deps));
  const contenders = [`/api/inventory/items/${item?.id}`, ...asked].map((path) => ({
    name: path.replace(/^\/api\//, ''),
    call: () => get(path),
  }));
  return table("The office's lists", contenders, await compare(contenders, { rounds: 3, calls: 20 }));
}
