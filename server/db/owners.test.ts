import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const server = path.join(import.meta.dirname, '..');
const mayWriteAll = new Set(['demo']);

/** table -> owner, from the list that people read. */
function owners(): Map<string, string> {
  const text = readFileSync(path.join(server, 'db/README.md'), 'utf8');
  const lines = [...text.matchAll(/^\| ([a-z_, ]+) \| ([a-z-]+) \|$/gm)].filter(([, table]) => table !== 'table');
  return new Map(
    lines.flatMap(([, tables = '', owner = '']) => tables.split(', ').map((table) => [table, owner] as const)),
  );
}

function* sources(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const full = path.join(folder, name);
    // What a test prepares may write every table.
    if (name === 'testing' || name.endsWith('.test.ts')) continue;
    if (statSync(full).isDirectory()) yield* sources(full);
    else if (name.endsWith('.ts')) yield full;
  }
}

const variables: Record<string, string> = {};
for (const file of sources(server)) {
  for (const [, variable = '', table = ''] of readFileSync(file, 'utf8').matchAll(
    /export const (\w+) = pgTable\(\s*'(\w+)'/g,
  )) {
    variables[variable] = table;
  }
}

/** Tables that a file writes, by SQL text, by drizzle or by many rows at once. */
function written(text: string): string[] {
  const bySql = [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)\b/g)].map(
    ([, table = '']) => table,
  );
  const byVariable = [...text.matchAll(/(?:\.(?:insert|update|delete)|\binsertRows)\(\s*(\w+)/g)].map(
    ([, name = '']) => variables[name] ?? '',
  );
  return [...bySql, ...byVariable].filter((table) => owners().has(table));
}

it('every table has one owner', () => {
  const missing = Object.values(variables).filter((table) => !owners().has(table));
  expect(missing).toEqual([]);
});

it('only the owner of a table writes it', () => {
  const strangers: string[] = [];
  for (const file of sources(server)) {
    const feature = path.relative(server, file).split(path.sep)[0] ?? '';
    if (mayWriteAll.has(feature)) continue;
    for (const table of written(readFileSync(file, 'utf8'))) {
      if (owners().get(table) !== feature) strangers.push(`${path.relative(server, file)} writes ${table}`);
    }
  }
  expect(strangers).toEqual([]);
});
