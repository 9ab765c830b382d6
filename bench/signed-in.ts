import { sql } from 'drizzle-orm';
import { signInAs } from '../server/auth/service.ts';
import { firstRow } from '../server/db/database.ts';
import type { Deps } from '../server/deps.ts';

/** The cookie of a manager or administrator of the operator, signed in. */
export async function signedIn(deps: Deps, role: 'route_manager' | 'admin' = 'route_manager'): Promise<string> {
  const person = await firstRow<{ id: number }>(
    deps.db,
    sql`select id from users where role = ${role} and is_active order by id limit 1`,
  );
  if (!person) throw new Error(`Nobody of the role ${role} is there: the bench needs a filled operator.`);
  return signInAs(deps, person.id);
}

/** Asks as the person of the cookie; reads the answer to its end, and throws on one that is not fine. */
export function getter(address: string, cookie: string): (path: string) => Promise<Buffer> {
  return async (path) => {
    const reply = await fetch(address + path, { headers: { cookie } });
    const body = Buffer.from(await reply.arrayBuffer());
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${body.toString().slice(0, 200)}`);
    return body;
  };
}
