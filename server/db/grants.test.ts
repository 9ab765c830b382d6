import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeArchive } from '../archive/service.ts';
import { runCommand } from '../cli/commands.ts';
import { rollUpOldMonths } from '../retention/service.ts';
import { openPostgres } from './postgres/postgres.ts';

const server = process.env.TEST_DATABASE_URL;
const address = (user: string | null, database: string): string => {
  const url = new URL(server ?? 'postgres://absent');
  url.pathname = database;
  if (user) url.username = user;
  if (user) url.password = 'for tests';
  return url.href;
};
const as = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
};
const administer = (...statements: string[]) =>
  as(address(null, 'postgres'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

describe.runIf(server)('the role of the application (PostgreSQL)', () => {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  const attempt = (statement: string) => as(address(name, name), (client) => client.query(statement));

  beforeAll(async () => {
    await administer(`create database ${name}`, `create role ${name} login password 'for tests'`);
    const [url, adminUrl] = [address(name, name), address(null, name)];
    const database = await openPostgres({ url, adminUrl, directUrl: null, backups: null, onError: () => {} });
    await database.migrate();
    // A second start finds everything made and granted.
    await database.migrate();
    await database.db.execute(sql`select ensure_month_partition('stock_movements', '2024-01-15')`);
    await database.close();
  });
  afterAll(() => administer(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`));

  it.each([
    'update stock_movements set quantity = 1',
    'delete from stock_movements',
    'delete from stock_movements_2024_01',
    "update event_keys set outcome = 'applied'",
    'delete from event_keys',
    'delete from audit_log',
    'truncate audit_log',
    'delete from audit_chain',
    "insert into audit_checkpoints values (9, 'x', now())",
    "update audit_chain set hash = ''",
    'create table anything (id int)',
    'alter table markets drop column name',
    'alter table stock_movements disable trigger all',
  ])('may not: %s', async (statement) => {
    await expect(attempt(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it.each([
    "insert into audit_log (action) values ('test')",
    "select ensure_month_partition('sales', now() + interval '7 months')",
    "insert into markets (name, address, latitude, longitude) values ('M', 'A', 1, 1) returning id",
    'select * from stock_movements',
    'delete from sessions',
    'select purge_audit_log(100)',
  ])('may: %s', async (statement) => {
    await expect(attempt(statement)).resolves.toBeDefined();
  });

  it('may: write old months into files and drop them', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-grants-'));
    const onError = () => {};
    const mine = await openPostgres({
      url: address(name, name),
      adminUrl: null,
      directUrl: null,
      backups: null,
      onError,
    });
    try {
      await mine.db.execute(sql`insert into item_balances (item_type, item_id, quantity) values ('market_item', 1, 7)`);
      await mine.db.execute(
        sql`insert into stock_movements (event_id, item_type, item_id, kind, quantity, effective_at, source)
            values (gen_random_uuid(), 'market_item', 1, 'restock', 7, '2024-01-15T10:00:00Z', 'test')`,
      );
      const clock = { now: () => new Date('2026-06-12T15:00:00Z') };
      const env = { ledgerMonths: 25, dataFolder: folder };
      const done = await rollUpOldMonths({ db: mine.db, clock, env, log: { info: () => {} } });
      expect(done).toContain('stock_movements_2024_01');
      expect(readdirSync(path.join(folder, 'months'))).toContain('stock_movements_2024_01.jsonl.gz');
    } finally {
      await mine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.runIf(server)('an owner who is no superuser (PostgreSQL)', () => {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  const [owner, plain] = [`${name}_owner`, `${name}_plain`];
  const [url, adminUrl] = [address(plain, name), address(owner, name)];
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-owner-'));
  const file = path.join(folder, 'backup.zip');
  const open = () => openPostgres({ url, adminUrl, directUrl: null, backups: null, onError: () => {} });
  const attempt = (statement: string) => as(url, (client) => client.query(statement));
  const restore = async (...options: string[]) => {
    const said: string[] = [];
    const io = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    return { code: await runCommand(['restore', file, ...options], io), said: said.join('\n') };
  };

  beforeAll(async () => {
    vi.stubEnv('MILKRUN_DATA', folder);
    vi.stubEnv('DATABASE_URL', url);
    vi.stubEnv('DATABASE_ADMIN_URL', adminUrl);
    await administer(
      ...[owner, plain].map((role) => `create role ${role} login password 'for tests'`),
      `create database ${name} owner ${owner}`,
    );
    const database = await open();
    await database.migrate();
    await database.db.execute(
      sql`insert into audit_log (action, at) select 'old', now() - interval '3 years' from generate_series(1, 9)`,
    );
    await database.db.execute(sql`insert into audit_log (action) values ('kept')`);
    await database.db.execute(
      sql`insert into markets (name, address, latitude, longitude) values ('M', '1 Old Street', 40, -74)`,
    );
    await writeArchive(database.db, { file, at: new Date() });
    await database.close();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
    await administer(
      `drop database if exists ${name} with (force)`,
      ...[owner, plain].map((role) => `drop role if exists ${role}`),
    );
  });

  it('keeps every right when a restore is refused', async () => {
    expect(await restore()).toMatchObject({ code: 1, said: expect.stringContaining('in use') });
    await expect(attempt('select purge_audit_log(1)')).resolves.toBeDefined();
    const { rows: lost } = await as(adminUrl, (client) =>
      client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'delete'))`),
    );
    expect(lost).toEqual([]);
  });

  it('restores, and the application may again do what it may, and no more', async () => {
    expect(await restore('--replace')).toMatchObject({ code: 0, said: expect.stringContaining('are back') });
    const { rows } = await attempt("select action from audit_log where action = 'kept'");
    expect(rows).toEqual([{ action: 'kept' }]);
    await expect(attempt('select purge_audit_log(1)')).resolves.toBeDefined();
    await expect(attempt('delete from audit_log')).rejects.toThrow('permission denied');
    await expect(attempt('delete from stock_movements')).rejects.toThrow('permission denied');
  });

  it('gets back at a start what was taken from it', async () => {
    await as(adminUrl, (client) => client.query(`revoke update, delete, truncate on audit_log from ${owner}`));
    await expect(attempt('select purge_audit_log(1)')).rejects.toThrow('permission denied');
    const database = await open();
    await database.migrate();
    await database.close();
    await expect(attempt('select purge_audit_log(1)')).resolves.toBeDefined();
  });

  it('brings an older schema about, as a restore of an old backup does, and then the newest', async () => {
    const visits = 1795251402297;
    const database = await open();
    await database.script('drop schema public cascade; drop schema drizzle cascade; create schema public;');
    await database.migrate(() => {}, visits);
    await expect(attempt('select from public.users')).rejects.toThrow('permission denied');
    await database.migrate();
    await database.close();
    await expect(attempt('select from public.users')).resolves.toBeDefined();
  });
});
