import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { rows } from './database.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/data-model.md'), 'utf8');

it('every table and view is named in the data model, and nothing there that the database does not have', async () => {
  const database = await openTestEmbedded();
  const found = await rows<{ name: string }>(
    database.db,
    sql`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind in ('r', 'p', 'v') and not c.relispartition order by 1`,
  );
  await database.close();
  const there = found.map(({ name }) => name);
  const named = new Set([...page.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
  expect(there.filter((name) => !named.has(name))).toEqual([]);
  const columnsAndFiles = new Set(['system', 'server']);
  expect([...named].filter((name) => !there.includes(name) && !columnsAndFiles.has(name))).toEqual([]);
  const drawn = [...page.matchAll(/^ {2}([a-z_]+) \S+--\S+ ([a-z_]+) :/gm)].flatMap(([, from = '', to = '']) => [
    from,
    to,
  ]);
  expect(drawn.length).toBeGreaterThan(50);
  expect(drawn.filter((name) => !there.includes(name))).toEqual([]);
});
