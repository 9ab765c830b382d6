import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases.ts';
import { breakInWords, recordAudit, verifyChain } from './service.ts';

onEachDatabase('the chain of the audit log', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  }, 60_000);
  afterAll(() => database.close());

  const note = (action: string) =>
    recordAudit(database.db, { userId: 1, address: '203.0.113.9' }, { action, detail: { b: 1, a: [1, 'x'] } });
  /** What somebody with the database's password can do: past the triggers. */
  const byHand = async (...statements: string[]) => {
    const tables = ['audit_log', 'audit_chain'];
    const all = [
      ...tables.map((table) => `alter table ${table} disable trigger user`),
      ...statements,
      ...tables.map((table) => `alter table ${table} enable trigger user`),
    ];
    await database.script(all.join('; '));
  };
  const idOf = async (seq: number) =>
    (await rows<{ id: number }>(database.db, sql`select audit_id as id from audit_chain where seq = ${seq}`))[0]?.id ??
    0;

  it('holds every line once, in the order of the commits, also when many write at once', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.db.transaction(async (tx) => {
          for (const part of ['begin', 'end']) await recordAudit(tx, null, { action: `${part} ${n}` });
        }),
      ),
    );
    const state = await verifyChain(database.db);
    expect(state).toMatchObject({ lines: 80, broken: null, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('does not hold what was rolled back', async () => {
    const failed = database.db.transaction(async (tx) => {
      await recordAudit(tx, null, { action: 'never' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await verifyChain(database.db)).toMatchObject({ lines: 80, broken: null });
  });

  it('refuses to be written by the program', async () => {
    for (const statement of [
      'update audit_chain set hash = $$x$$',
      'delete from audit_chain',
      'truncate audit_chain',
      'truncate audit_log',
    ]) {
      await expect(database.script(statement)).rejects.toThrow();
    }
  });

  it('names the first line that was changed by hand', async () => {
    const id = await idOf(33);
    await byHand(`update audit_log set action = 'nothing to see' where id in (${id}, ${await idOf(50)})`);
    const { broken } = await verifyChain(database.db);
    expect(broken).toEqual({ seq: 33, auditId: id, reason: 'changed' });
    expect(broken && breakInWords(broken)).toBe(`Line 33 (audit_log id ${id}) is not as it was written.`);
  });

  it('names a line that was removed, the newest one too', async () => {
    await note('newest');
    const [before] = [await idOf(20)];
    await byHand(`delete from audit_log where id = ${before}`);
    expect((await verifyChain(database.db)).broken).toEqual({ seq: 20, auditId: before, reason: 'removed' });
    await byHand('delete from audit_chain', 'delete from audit_log');
    await note('a');
    await note('b');
    await byHand(`delete from audit_log where id = ${await idOf(2)}`);
    expect((await verifyChain(database.db)).broken).toMatchObject({ seq: 2, reason: 'removed' });
  });

  it('names a link that was removed with its line, and a line added past the chain', async () => {
    await byHand('delete from audit_chain', 'delete from audit_log');
    for (const action of ['a', 'b', 'c']) await note(action);
    await byHand("insert into audit_log (action) values ('planted')");
    expect((await verifyChain(database.db)).broken).toMatchObject({ seq: 4, reason: 'unchained' });
    await byHand(`delete from audit_log where id = ${await idOf(2)}`, 'delete from audit_chain where seq = 2');
    expect((await verifyChain(database.db)).broken).toMatchObject({ seq: 2, reason: 'link-removed' });
  });
});
