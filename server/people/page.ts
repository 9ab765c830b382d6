import { type SQL, sql } from 'drizzle-orm';
import type { AdminPerson } from '../../contract/people.ts';
import { powersOf, type Role, roleLabel } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order } from '../db/statements/paging.ts';
import { personName } from '../db/statements/person-name.ts';

type Filter = { search?: string | undefined; role?: Role | undefined; route?: string | undefined };
type Wish = Filter & { sort: string; page?: string | undefined; limit: number };

/** The last sign of life: the sign-in, or the last use of a session noted since. */
const lastActive = sql`greatest(u.last_active_at, (select max(s.last_seen_at) from sessions s where s.user_id = u.id))`;
const name = sql`lower(${personName('u')})`;

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  name: { value: name, type: 'text' },
  email: { value: sql`lower(u.email)`, type: 'text' },
  role: { value: sql`u.role::text`, type: 'text' },
  route: { value: sql`lower(coalesce(u.route_designation, ''))`, type: 'text' },
  active: { value: sql`coalesce(${lastActive}, '-infinity'::timestamptz)`, type: 'timestamptz' },
};

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Row = Omit<AdminPerson, 'role' | 'roleLabel' | 'permissions'> & { role: string };

const fields = sql`u.id, u.email, u.phone_number as "phoneNumber", u.phone_confirmed_at is not null as "phoneConfirmed", u.first_name as "firstName", u.last_name as "lastName",
  u.role, u.route_designation as "routeDesignation", u.is_active as "isActive", ${instant(lastActive)} as "lastActive",
  ${instant(sql`u.created_at`)} as "createdAt",
  (select count(distinct a.application_name)::int from application_access a where a.user_id = u.id) as "limitedApplications",
  (select count(*)::int from device_sessions d where d.user_id = u.id and d.is_active) as devices`;

function conditionOf({ search, role: who, route }: Filter): SQL {
  const words = wordsOf(search).map((word) =>
    containsWord(sql`(u.search_text || ' ' || plain_text(concat_ws(' ', u.phone_number, u.route_designation)))`, word),
  );
  const parts = [sql`true`, ...words];
  if (who) parts.push(sql`u.role = ${who}`);
  if (route) parts.push(sql`u.route_designation = ${route}`);
  return sql.join(parts, sql` and `);
}

export async function pageOfPeople(db: Db, wish: Wish) {
  const down = wish.sort.startsWith('-');
  const by = down ? wish.sort.slice(1) : wish.sort;
  const condition = conditionOf(wish);
  let active = 0;
  const page = await findPage<Row>(db, {
    fields,
    source: sql`users u`,
    condition,
    order: { name: by, down, id: sql`u.id`, ...(orders[by] ?? { value: name, type: 'text' }) },
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const found = await firstRow<{ n: number; active: number }>(
        db,
        sql`select count(*)::int as n, (count(*) filter (where u.is_active))::int as active from users u where ${condition}`,
      );
      active = found?.active ?? 0;
      return found?.n ?? 0;
    },
  });
  return { ...page, rows: page.rows.map(toPerson), active };
}

function toPerson(row: Row): AdminPerson {
  const who = role.parse(row.role);
  return { ...row, role: who, roleLabel: roleLabel[who], permissions: powersOf(who) };
}

/** One person with what an administrator sees of them. */
export async function findAdminPerson(db: Db, id: number): Promise<AdminPerson | null> {
  const [row] = await rows<Row>(db, sql`select ${fields} from users u where u.id = ${id}`);
  return row ? toPerson(row) : null;
}
