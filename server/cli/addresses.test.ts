import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from './commands.ts';

const server = process.env.TEST_DATABASE_URL;

describe.runIf(server)('further addresses of the database (PostgreSQL)', () => {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  const other = `${name}_other`;
  const address = (database: string, parts: Partial<URL> = {}): string =>
    Object.assign(new URL(server ?? 'postgres://absent'), { pathname: database, ...parts }).href;
  const administer = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  beforeAll(async () => {
    await administer(`create database ${name}`, `create database ${other}`);
    vi.stubEnv('MILKRUN_FSYNC_OFF', '1');
    vi.stubEnv('DATABASE_URL', address(name));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await administer(`drop database ${name} with (force)`, `drop database ${other} with (force)`);
  });
  const startedWith = async (setting: string, url: string) => {
    vi.stubEnv(setting, url);
    const said: string[] = [];
    const code = await runCommand(['user', 'list'], { out: () => {}, err: (text) => said.push(text) });
    vi.stubEnv(setting, '');
    return { code, err: said.join('\n') };
  };

  const settings = ['DATABASE_ADMIN_URL', 'DATABASE_DIRECT_URL'];

  it.each(settings)('%s that leads to another database is refused, and nothing is made there', async (setting) => {
    expect(await startedWith(setting, address(other))).toEqual({
      code: 1,
      err: `${setting} leads to another database than DATABASE_URL. Accepted: an address of the same one.`,
    });
    const client = new pg.Client({ connectionString: address(other) });
    await client.connect();
    const made = await client.query("select from pg_namespace where nspname = 'drizzle'");
    await client.end();
    expect(made.rows).toEqual([]);
  });

  it.each(settings)('what is wrong with %s is said of it, not of DATABASE_URL', async (setting) => {
    expect(await startedWith(setting, address('milkrun_never_made'))).toEqual({
      code: 1,
      err: `The database that ${setting} names does not exist. Create it first.`,
    });
    expect(await startedWith(setting, address(name, { port: '1' }))).toEqual({
      code: 1,
      err: `The database of ${setting} does not answer. Is it running, and are host and port right?`,
    });
  });

  it.each(settings)('%s that leads to the same database is taken', async (setting) => {
    expect(await startedWith(setting, address(name))).toMatchObject({ code: 0 });
  });
});
