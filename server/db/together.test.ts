import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { onEachDatabase, openTestPostgres } from '../testing/databases/databases.ts';
import { type Db, rows, run } from './database.ts';
import { openPostgres } from './postgres/postgres.ts';
import { together } from './together.ts';

const plus = (tx: Db, n: number) => rows<{ sum: number }>(tx, sql`select ${n}::int + 1 as sum`);

onEachDatabase('statements that go together', (open) => {
  it('are done in their order, and each has its own answer', async () => {
    const { db, close } = await open();
    await db.execute(sql`create table told (word text)`);
    const answers = await db.transaction((tx) =>
      together([
        run(tx, sql`insert into told values ('first')`),
        rows(tx, sql`select word from told`),
        run(tx, sql`update told set word = 'second'`),
        rows(tx, sql`select word from told`),
        plus(tx, 2),
      ]),
    );
    expect(answers).toEqual([undefined, [{ word: 'first' }], undefined, [{ word: 'second' }], [{ sum: 3 }]]);
    await close();
  });

  it('fail with what was wrong, not with what was refused for it, and leave nothing behind', async () => {
    const { db, close } = await open();
    await db.execute(sql`create table told (word text)`);
    const inSteps = async (tx: Db): Promise<void> => {
      await run(tx, sql`insert into told values ('early')`);
      await run(tx, sql`insert into told values ('late')`);
    };
    const failed = db.transaction((tx) => together([inSteps(tx), rows(tx, sql`select 1 / 0`), plus(tx, 1)]));
    await expect(failed).rejects.toMatchObject({ cause: { code: '22012' } });
    expect(await rows(db, sql`select word from told`)).toEqual([]);
    await close();
  });

  it('end before their failure is told: none is left to speak on a connection that others have', async () => {
    const { db, close } = await open();
    let isEnded = false;
    const slow = async (tx: Db): Promise<void> => {
      for (let n = 0; n < 5; n += 1) await plus(tx, n);
      isEnded = true;
    };
    const failed = db.transaction((tx) => together([Promise.reject(new Error('no such thing')), slow(tx)]));
    await expect(failed).rejects.toThrow('no such thing');
    expect(isEnded).toBe(true);
    await close();
  });

  it('must have been sent', async () => {
    const { db, close } = await open();
    const lazy = db.transaction((tx) => together([tx.execute(sql`select 1`)]));
    await expect(lazy).rejects.toThrow('not sent at once');
    await close();
  });
});

const server = process.env.TEST_DATABASE_URL;
if (!server) process.stderr.write('** SKIPPED: statements on the wire. TEST_DATABASE_URL is not set. **\n');

/** Stands between a client and PostgreSQL and tells how many statements were on their way at once. */
async function listenTo(url: string) {
  const there = new URL(url);
  const here = new URL(url);
  let mostAtOnce = 0;
  const relay = createServer((client) => {
    const upstream = connect(Number(there.port), there.hostname);
    let underWay = 0;
    const asked = messages(1, (type) => {
      if (type !== 'S' && type !== 'Q') return;
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
    });
    const answered = messages(0, (type) => {
      if (type === 'Z') underWay = Math.max(0, underWay - 1);
    });
    client.on('data', asked).pipe(upstream);
    upstream.on('data', answered).pipe(client);
    for (const end of [client, upstream]) end.on('error', () => {});
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  here.hostname = '127.0.0.1';
  here.port = String((relay.address() as AddressInfo).port);
  return {
    url: here.href,
    startOver: () => {
      mostAtOnce = 0;
    },
    mostAtOnce: () => mostAtOnce,
    close: () => relay.close(),
  };
}

/** Calls `onType` with the type of each message of the protocol; the first `untyped` have none, but only their length. */
function messages(untyped: number, onType: (type: string) => void) {
  let rest = Buffer.alloc(0);
  let left = untyped;
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const at = left > 0 ? 0 : 1;
      if (rest.length < at + 4) return;
      const length = at + rest.readUInt32BE(at);
      if (rest.length < length) return;
      if (at === 1) onType(rest.toString('latin1', 0, 1));
      else left -= 1;
      rest = rest.subarray(length);
    }
  };
}

describe.skipIf(!server)('on the wire', () => {
  /** How many of three statements that go together were on their way at once. */
  const atOnce = async (directUrl: string | null): Promise<number> => {
    const relay = await listenTo(server ?? '');
    const options = { url: relay.url, directUrl, adminUrl: null, backups: null, onError: () => {} };
    const database = await openPostgres(options);
    relay.startOver();
    await database.db.transaction((tx) => together([plus(tx, 1), plus(tx, 2), plus(tx, 3)]));
    await database.close();
    relay.close();
    return relay.mostAtOnce();
  };

  it('all go before the first is answered', async () => {
    expect(await atOnce(null)).toBe(3);
  });

  it('go out with one write', async () => {
    const database = await openTestPostgres(server ?? '');
    const write = vi.spyOn(Socket.prototype as unknown as { _writev: () => void }, '_writev');
    const writes = await database.db.transaction(async (tx) => {
      await plus(tx, 1);
      write.mockClear();
      await together([plus(tx, 2), plus(tx, 3), plus(tx, 4)]);
      return write.mock.calls.length;
    });
    write.mockRestore();
    expect(writes).toBe(1);
    await database.close();
  });

  it('behind a pooler each waits for the answer to the one before', async () => {
    expect(await atOnce(server ?? '')).toBe(1);
  });
});
