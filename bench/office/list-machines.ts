import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { rows } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { compare, table } from '../measure.ts';
import { signedIn } from '../signed-in.ts';

/** One route's machines over HTTP, signed in, against the bare query and JSON.stringify behind node:http. */
export async function listMachines({ deps, address }: Running): Promise<string> {
  const cookie = await signedIn(deps);
  const query = sql`select id, name, machine_id as "machineId", location, address, latitude::text, longitude::text, status,
    route_designation as "routeDesignation", capacity, current_stock as "currentStock", last_restocked as "lastRestocked"
    from vending_machines where deleted_at is null and route_designation = '101' order by name, id`;
  const bare = createServer((_request, response) => {
    rows(deps.db, query).then(
      (found) => response.setHeader('content-type', 'application/json').end(JSON.stringify(found)),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const { port } = bare.address() as AddressInfo;
  const get = async (url: string, headers: Record<string, string>): Promise<void> => {
    const reply = await fetch(url, { headers });
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
    await reply.arrayBuffer();
  };
  const contenders = [
    { name: 'bare query', call: () => get(`http://127.0.0.1:${port}/`, {}) },
    {
      name: 'GET /api/vending-machines?route=101',
      call: () => get(`${address}/api/vending-machines?route=101`, { cookie }),
    },
  ];
  const costs = await compare(contenders, { rounds: 5, calls: 200 });
  bare.close();
  return table("One route's machines", contenders, costs);
}
