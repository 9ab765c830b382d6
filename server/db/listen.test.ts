import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenOn } from './listen.ts';

const server = process.env.TEST_DATABASE_URL;

describe.runIf(server)('listening (PostgreSQL)', () => {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  let admin: pg.Client;
  const url = new URL(server ?? 'postgres://absent');
  url.pathname = name;
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(`create database ${name}`);
  });
  afterAll(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });

  it('tries again one attempt after the other while the database is away, then tells of the gap once', async () => {
    let errors = 0;
    let gaps = 0;
    let tell = (): void => {};
    const until = (done: () => boolean) =>
      new Promise<void>((resolve) => {
        tell = () => void (done() && resolve());
      });
    const heard = {
      onNote: () => {},
      onGap: () => {
        gaps += 1;
        tell();
      },
      onError: () => {
        errors += 1;
        tell();
      },
    };
    const stop = await listenOn(url.href, 'somewhere', heard);
    await admin.query(`alter database ${name} allow_connections false`);
    const five = until(() => errors >= 6);
    await admin.query(cut);
    await five;
    const back = until(() => gaps > 0);
    await admin.query(`alter database ${name} allow_connections true`);
    await back;
    const { rows } = await admin.query(`select count(*)::int as n from pg_stat_activity where datname = '${name}'`);
    expect([gaps, rows[0].n]).toEqual([1, 1]);
    await stop();
  });
});
