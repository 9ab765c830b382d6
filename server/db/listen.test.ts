import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onServer } from '../testing/on-server.ts';
import { wayTo } from '../testing/way-to.ts';
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

  it('notices that nobody answers any more, connects anew, tells of the gap and hears again', async () => {
    const way = await wayTo(url.href);
    const errors: Error[] = [];
    let tellGap = (): void => {};
    let tellNote = (_: string): void => {};
    const gap = new Promise<void>((resolve) => {
      tellGap = resolve;
    });
    const note = new Promise<string>((resolve) => {
      tellNote = resolve;
    });
    const heard = { onNote: tellNote, onGap: tellGap, onError: (error: Error) => void errors.push(error) };
    const stop = await listenOn(way.url, 'somewhere', heard);
    way.fallSilent();
    await gap;
    expect(errors.length).toBeGreaterThan(0);
    await onServer(url.href, "notify somewhere, 'after it'");
    expect(await note).toBe('after it');
    await stop();
    way.remove();
  });

  it('ends though nobody answers', async () => {
    const way = await wayTo(url.href);
    const stop = await listenOn(way.url, 'somewhere', { onNote: () => {}, onGap: () => {}, onError: () => {} });
    way.fallSilent();
    await expect(stop()).resolves.toBeUndefined();
    way.remove();
  });
});
