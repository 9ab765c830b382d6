import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fillDataFolder } from '../testing/databases/embedded-template.ts';
import { runCommand, sentenceOf } from './commands.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-commands-'));
beforeAll(() => fillDataFolder(folder));
beforeEach(() => {
  vi.stubEnv('MILKRUN_DATA', folder);
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('MILKRUN_DEMO', '0');
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(line: string) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const code = await runCommand(line === '' ? [] : line.split(' '), io);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

it.each(['--help', 'help', '-h', 'serve --help', 'simulate --help', 'import --help', 'user --help', 'openapi --help'])(
  '%s explains and does nothing',
  async (line) => {
    expect(await run(line)).toMatchObject({ code: 0, out: expect.stringContaining('Usage: milkrun'), err: '' });
  },
);

it.each([
  'frobnicate',
  'constructor',
  '__proto__',
  'serve --nonsense',
  'serve there',
  'serve --port',
  'openapi --nonsense',
])('%s is wrong usage', async (line) => {
  expect(await run(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: milkrun') });
});

it('stops at a wrong setting with its name, before anything is opened', async () => {
  vi.stubEnv('LOG_LEVEL', 'loud');
  const refused = { code: 1, out: '', err: expect.stringContaining('LOG_LEVEL: accepted: trace') };
  for (const line of ['serve', 'user list', 'simulate --profile S']) expect(await run(line)).toMatchObject(refused);
});

it('says in a sentence that the database does not answer', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
  expect(await run('user list --json')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The database .*\?$/),
  });
});

const server = process.env.TEST_DATABASE_URL;

it.runIf(server)('says in a sentence that the role may make no tables, or that there is no such database', async () => {
  const name = `milkrun_no_rights_${process.pid}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create role ${name} login password 'a-password-of-a-test'`);
  await client.query(`create database ${name}`);
  const url = new URL(server ?? '');
  Object.assign(url, { username: name, password: 'a-password-of-a-test', pathname: `/${name}` });
  vi.stubEnv('DATABASE_URL', url.href);
  vi.stubEnv('MILKRUN_FSYNC_OFF', '1');
  const barred = await run('user list');
  url.pathname = '/milkrun_never_made';
  vi.stubEnv('DATABASE_URL', url.href);
  const missing = await run('user list');
  await client.query(`drop database ${name} with (force)`);
  await client.query(`drop role ${name}`);
  await client.end();
  expect(barred).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/may not make tables. Give it CREATE, or set /),
  });
  expect(missing).toEqual({ code: 1, out: '', err: expect.stringMatching(/does not exist. Create it first.$/) });
});

/** As the query builder wraps what the database says. */
const failed = (code: string, message: string): Error =>
  new Error('Failed query: insert into people values ($1)\nparams: ana@company.com', {
    cause: Object.assign(new Error(message), { code }),
  });

it.each([
  ['25006', /^The database of DATABASE_URL can only be read: /],
  ['28000', /^The database refuses the role of DATABASE_URL\. Is there .* pg_hba\.conf .*\?$/],
  ['53100', /^The disk of the database is full\. /],
  ['EAI_AGAIN', /^A host name cannot be found\. /],
  ['EHOSTUNREACH', /^The database of DATABASE_URL does not answer\. /],
])('says in a sentence what %s means', (code, sentence) => {
  expect(sentenceOf(failed(code, 'as the system says it'))).toMatch(sentence);
});

it.each([
  [
    'permission denied for database "milkrun"',
    'User does not have CONNECT privilege.',
    /may not connect .* CONNECT\.$/,
  ],
  ['permission denied for table markets', undefined, /^The tables .* belong to another role .* DATABASE_ADMIN_URL/],
  ['permission denied for schema public', undefined, /may not make tables\. Give it CREATE/],
])('says which right is missing: %s', (message, detail, sentence) => {
  expect(sentenceOf(Object.assign(new Error(message), { code: '42501', detail }))).toMatch(sentence);
});

it('tells where something unforeseen happened and why, without the values of the statement', () => {
  const told = sentenceOf(failed('42P01', 'relation "people" does not exist'));
  expect(told).toContain('insert into people');
  expect(told).toMatch(/\n {4}at .*\nCause: relation "people" does not exist$/s);
  expect(told).not.toContain('ana@company.com');
});

it('says in a sentence that a folder of the settings lies below a file', async () => {
  const file = path.join(folder, 'a-file');
  writeFileSync(file, '');
  vi.stubEnv('MILKRUN_DATA', path.join(file, 'data'));
  const refused = { code: 1, out: '', err: expect.stringMatching(/^A folder of the settings .* MILKRUN_DATA .*\.$/) };
  expect(await run('user list')).toEqual(refused);
  vi.stubEnv('MILKRUN_DATA', file);
  expect(await run('user list')).toEqual({ code: 1, out: '', err: 'MILKRUN_DATA names a file. Accepted: a folder.' });
});

it('says in a sentence that the port is in use, and gives the folder back', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const refused = { code: 1, out: '', err: expect.stringContaining('The port is in use.') };
  expect(await run(`serve --port ${port}`)).toMatchObject(refused);
  expect(await run(`serve --port ${port}`)).toMatchObject(refused);
  other.close();
});

it('prints one OpenAPI 3.1 document whose references all lead somewhere', async () => {
  const { code, out, err } = await run('openapi');
  const document = JSON.parse(out);
  expect({ code, err, version: document.openapi }).toEqual({ code: 0, err: '', version: '3.1.0' });
  const names = [...out.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(names.filter((name) => !(`${name}` in document.components.schemas))).toEqual([]);
  for (const [url, calls] of Object.entries<Record<string, { parameters?: { name: string; in: string }[] }>>(
    document.paths,
  )) {
    const wanted = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const call of Object.values(calls)) {
      const described = (call.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
      expect(described.sort(), url).toEqual(wanted.sort());
    }
  }
});
