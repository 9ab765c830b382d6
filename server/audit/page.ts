import { type SQL, sql } from 'drizzle-orm';
import type { AuditLine } from '../../contract/audit.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage } from '../db/statements/paging.ts';
import { personName } from '../db/statements/person-name.ts';

type Filter = {
  search?: string | undefined;
  actor?: number | undefined;
  action?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
};
type Wish = Filter & { timeZone: string; sort: string; page?: string | undefined; limit: number };

const objectId = sql`(case when a.object_id ~ '^[0-9]{1,9}$' then a.object_id::int end)`;
const objectName = sql`(case a.object_type
  when 'call' then a.detail ->> 'call'
  when 'user' then (select ${personName('o')} from users o where o.id = ${objectId})
  when 'market' then (select o.name from markets o where o.id = ${objectId})
  when 'vending_machine' then (select o.name from vending_machines o where o.id = ${objectId})
  when 'route' then (select o.name from routes o where o.id = ${objectId})
  when 'product' then (select o.name from products o where o.id = ${objectId})
  when 'device' then (select o.device_name from device_sessions o where o.device_id::text = a.object_id)
end)`;

const fields = sql`a.id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, a.actor_id as "actorId",
  ${personName('u')} as actor, a.action, a.object_type as "objectType", a.object_id as "objectId", ${objectName} as object,
  a.address, a.detail::text as detail, (select c.hash from audit_chain c where c.audit_id = a.id) as hash`;

function conditionOf(wish: Filter & { timeZone: string }): SQL {
  const { search, actor, action, objectType, objectId: object, from, until, timeZone } = wish;
  const text = sql`plain_text(concat_ws(' ', a.action, a.object_type, a.object_id, a.address, a.detail::text, ${personName('u')}))`;
  const parts = [sql`true`, ...wordsOf(search).map((word) => containsWord(text, word))];
  if (actor !== undefined) parts.push(actor === 0 ? sql`a.actor_id is null` : sql`a.actor_id = ${actor}`);
  if (action) parts.push(action.endsWith('.') ? sql`starts_with(a.action, ${action})` : sql`a.action = ${action}`);
  if (objectType) parts.push(sql`a.object_type = ${objectType}`);
  if (object) parts.push(sql`a.object_id = ${object}`);
  if (from) parts.push(sql`a.at >= ${from}::date::timestamp at time zone ${timeZone}`);
  if (until) parts.push(sql`a.at < (${until}::date + 1)::timestamp at time zone ${timeZone}`);
  return sql.join(parts, sql` and `);
}

const source = sql`audit_log a left join users u on u.id = a.actor_id`;

export function findAuditPage(db: Db, wish: Wish) {
  const condition = conditionOf(wish);
  return findPage<AuditLine>(db, {
    fields,
    source,
    condition,
    order: { name: 'at', down: wish.sort === '-at', value: sql`a.at`, type: 'timestamptz', id: sql`a.id` },
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const found = await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${source} where ${condition}`);
      return found?.n ?? 0;
    },
  });
}

/** Each value that occurs, by leaps over the index: as fast with millions of lines. */
async function valuesOf<T>(db: Db, column: 'action' | 'object_type' | 'actor_id'): Promise<T[]> {
  const name = sql.raw(column);
  const found = await rows<{ value: T }>(
    db,
    sql`with recursive leap(value) as (
          select min(${name}) from audit_log
          union all select (select min(${name}) from audit_log where ${name} > leap.value) from leap where leap.value is not null
        ) select value from leap where value is not null`,
  );
  return found.map(({ value }) => value);
}

export async function findChoices(db: Db) {
  const actors = await valuesOf<number>(db, 'actor_id');
  const people = await rows<{ id: number; name: string }>(
    db,
    sql`select u.id, ${personName('u')} as name from users u
        where u.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(actors)}::jsonb)) order by 2, 1`,
  );
  return {
    people,
    actions: await valuesOf<string>(db, 'action'),
    objectTypes: await valuesOf<string>(db, 'object_type'),
  };
}
