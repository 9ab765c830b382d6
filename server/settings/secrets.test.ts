import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { SealError } from './envelope.ts';
import { keyRing } from './key-ring.ts';
import type { SealedPlace } from './sealed-places.ts';
import { loadSecrets, secretsOf } from './secrets.ts';
import { installation, sealingKeys } from './tables.ts';

const planted = 'PLANTED-partner-secret-9f3c';
const master = 'the first key of this installation, long enough';
const at = new Date('2026-03-12T15:00:00Z');
const place = (row: string) => ({ table: 'sealed_test', column: 'secret', row });
const places: readonly SealedPlace[] = [{ table: 'sealed_test', column: 'secret', key: 'name' }];

onEachDatabase('sealed secrets', (open) => {
  let database: Database;
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-key-'));
  beforeAll(async () => {
    database = await open();
    await database.db.execute(sql`create table sealed_test (name text primary key, secret text)`);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const store = async (ring: ReturnType<typeof keyRing>, row: string, text: string) => {
    const sealed = await ring.seal(database.db, place(row), text);
    await database.db.execute(sql`insert into sealed_test values (${row}, ${sealed})
                                  on conflict (name) do update set secret = excluded.secret`);
    return sealed;
  };
  const stored = async (row: string): Promise<string> => {
    const [found] = await rows<{ secret: string }>(
      database.db,
      sql`select secret from sealed_test where name = ${row}`,
    );
    return found?.secret ?? '';
  };

  it('a value opens in its own row only, and any changed byte is refused', async () => {
    const ring = secretsOf([master]);
    const a = await store(ring, 'a', planted);
    const b = await store(ring, 'b', planted);
    expect(await ring.open(database.db, place('a'), a)).toBe(planted);
    expect(a).not.toContain(planted);
    expect(a.split('.').at(-1)).not.toBe(b.split('.').at(-1));
    await expect(ring.open(database.db, place('a'), b)).rejects.toThrow(SealError);
    await expect(ring.open(database.db, { ...place('a'), column: 'other' }, a)).rejects.toThrow(SealError);
    for (let index = 0; index < a.length; index += 7) {
      const changed = a.slice(0, index) + (a[index] === 'A' ? 'B' : 'A') + a.slice(index + 1);
      await expect(ring.open(database.db, place('a'), changed)).rejects.toThrow(SealError);
    }
  });

  it('a new key wraps every value while another server goes on with the old one', async () => {
    const here = keyRing([master], places);
    const elsewhere = keyRing([master], places);
    const before = await store(elsewhere, 'a', planted);
    const { keyId, rewrapped, unopened } = await here.rotate(database.db, at);
    expect([rewrapped > 0, unopened]).toEqual([true, 0]);
    const after = await stored('a');
    expect(after.split('.')[1]).toBe(keyId);
    expect(await elsewhere.open(database.db, place('a'), after)).toBe(planted);
    // What the other server read before the change is still worth something to it.
    expect(await elsewhere.open(database.db, place('a'), before)).toBe(planted);
    expect((await store(elsewhere, 'c', 'later')).split('.')[1]).toBe(keyId);
    await here.rotate(database.db, new Date(at.getTime() + 2 * 3_600_000));
    await here.rotate(database.db, new Date(at.getTime() + 4 * 3_600_000));
    const left = await database.db.select({ id: sealingKeys.id }).from(sealingKeys);
    expect(left.map(({ id }) => id)).not.toContain(before.split('.')[1]);
  });

  it('a database opens with its own key, or with the one before while that is being changed', async () => {
    await store(secretsOf([master]), 'a', planted);
    const text = await stored('a');
    const stranger = secretsOf(['the key of some other installation, long enough']);
    expect(await stranger.prepare(database.db)).toBe(false);
    await expect(stranger.open(database.db, place('a'), text)).rejects.toThrow(SealError);
    const changing = secretsOf(['the second key of this installation, long', master]);
    expect(await changing.open(database.db, place('a'), text)).toBe(planted);
    await database.db.delete(sealingKeys);
  });

  it('a key made here is kept in a file that only this user reads, not in the database', async () => {
    const file = path.join(folder, 'made', 'secret.key');
    await database.db
      .insert(installation)
      .values({ name: 'secret-key', value: 'made by an earlier release, kept here' });
    const first = await loadSecrets(database.db, { key: null, file });
    const again = await loadSecrets(database.db, { key: null, file });
    expect(again.mac('x', 'y')).toBe(first.mac('x', 'y'));
    expect(first.mac('x', 'y')).toBe(secretsOf(['made by an earlier release, kept here']).mac('x', 'y'));
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await database.db.select().from(installation).where(eq(installation.name, 'secret-key'))).toEqual([]);
  });
});
