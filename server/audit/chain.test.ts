import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { breakInWords, purgeAuditLog, recordAudit, verifyChain } from './service.ts';

onEachDatabase('the chain of the audit log', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
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

  describe('when lines are two years old', () => {
    const tables = ['audit_log', 'audit_chain', 'audit_checkpoints'];
    const empty = () =>
      byHand(
        ...tables.map((table) => `alter table ${table} disable trigger user`),
        ...tables.map((t) => `delete from ${t}`),
      );
    /** A line as it was written so many minutes before (or after, if negative) it turns two years old. */
    const old = (action: string, minutesPast: number) =>
      database.db.execute(
        sql`insert into audit_log (action, at) values (${action}, now() - interval '2 years' - ${minutesPast} * interval '1 minute')`,
      );
    const actions = async () =>
      (await rows<{ action: string }>(database.db, sql`select action from audit_log order by id`)).map((l) => l.action);

    it('they go, on their day and not before, and what is left is verified from there on', async () => {
      await empty();
      for (const n of [3, 2, 1]) await old(`gone ${n}`, n);
      await old('kept', -1);
      await note('new');
      await purgeAuditLog(database);
      expect(await actions()).toEqual(['kept', 'new', 'audit.purge']);
      expect(await verifyChain(database.db)).toMatchObject({ lines: 3, purged: 3, broken: null });
      await purgeAuditLog(database);
      await note('newer');
      expect(await actions()).toEqual(['kept', 'new', 'audit.purge', 'newer']);
      expect(await verifyChain(database.db)).toMatchObject({ lines: 4, purged: 3, broken: null });
    });

    it('a line changed afterwards, the first one too, is still named', async () => {
      const id = await idOf(4);
      await byHand(`update audit_log set action = 'other' where id = ${id}`);
      expect((await verifyChain(database.db)).broken).toEqual({ seq: 4, auditId: id, reason: 'changed' });
      await byHand(`update audit_log set action = 'kept' where id = ${id}`);
      expect((await verifyChain(database.db)).broken).toBeNull();
    });

    it('nothing that was tampered with goes', async () => {
      await empty();
      for (const n of [3, 2, 1]) await old(`gone ${n}`, n);
      await note('new');
      await byHand(`update audit_log set action = 'other' where id = ${await idOf(2)}`);
      await expect(purgeAuditLog(database)).rejects.toThrow();
      expect(await actions()).toEqual(['gone 3', 'other', 'gone 1', 'new']);
    });

    it('a checkpoint made by hand hides nothing', async () => {
      await empty();
      for (const action of ['a', 'b', 'c']) await note(action);
      await byHand(
        'insert into audit_checkpoints select seq, hash, now() from audit_chain where seq = 2',
        'delete from audit_log where id in (select audit_id from audit_chain where seq <= 2)',
        'delete from audit_chain where seq <= 2',
      );
      const { broken } = await verifyChain(database.db);
      expect(broken && breakInWords(broken)).toBe('Lines up to 2 were removed past the log.');
    });

    it('the newest line stays, so that the chain goes on', async () => {
      await empty();
      await old('gone', 2);
      await old('newest', 1);
      await purgeAuditLog(database);
      expect(await actions()).toEqual(['newest', 'audit.purge']);
      expect(await verifyChain(database.db)).toMatchObject({ lines: 2, purged: 1, broken: null });
    });
  });
});
