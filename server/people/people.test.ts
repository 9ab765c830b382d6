import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import type { Database } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { toE164 } from './phone.ts';
import {
  confirmPhone,
  createUser,
  deactivate,
  findUser,
  findUserByContact,
  listPeople,
  type NewPerson,
  setDesignation,
} from './service.ts';

const at = new Date('2026-03-12T15:00:00Z');

onEachDatabase('people', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const add = (person: NewPerson) => createUser(database.db, { actor: null, at }, person);
  const lastAudit = async () => (await database.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0];

  it('are field workers unless somebody says otherwise', async () => {
    const made = await add({ email: 'plain@example.test' });
    expect(made).toMatchObject({ role: 'field_worker', routeDesignation: null, isActive: true, phoneNumber: null });
    expect(await lastAudit()).toMatchObject({ action: 'person.create', objectId: String(made.id) });
  });

  it('share no e-mail address, in whatever letters', async () => {
    await add({ email: 'Twice@Example.test' });
    await expect(add({ email: 'twice@example.TEST' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'A person with this e-mail address exists already.',
    });
  });

  it('share no phone number, however it is written', async () => {
    const { phoneNumber } = await add({ email: 'phone1@example.test', phoneNumber: '(415) 555-0177' });
    expect(phoneNumber).toBe('+14155550177');
    await expect(add({ email: 'phone2@example.test', phoneNumber: '+1 415.555.0177' })).rejects.toMatchObject({
      code: 'conflict',
      fields: { phoneNumber: 'A person with this phone number exists already.' },
    });
  });

  it('need an address, a known role and a possible number', async () => {
    for (const wrong of [{ email: 'nowhere' }, { email: 'a@example.test', phoneNumber: '12' }]) {
      await expect(add(wrong)).rejects.toMatchObject({ code: 'invalid-input' });
    }
    const boss = { email: 'boss@example.test', role: 'boss' } as unknown as NewPerson;
    await expect(add(boss)).rejects.toMatchObject({ fields: { role: expect.any(String) } });
  });

  it('are found by what they sign in with while they are active', async () => {
    const { id } = await add({ email: 'Found@example.test', phoneNumber: '4155550188' });
    const find = (channel: 'email' | 'sms', address: string) => findUserByContact(database.db, channel, address);
    expect((await find('email', 'found@example.test'))?.id).toBe(id);
    expect(await find('sms', '+14155550188')).toBeNull();
    const proven = { id, phoneNumber: '+14155550188', at };
    expect(await confirmPhone(database.db, null, { ...proven, phoneNumber: '+14155550199' })).toBe(false);
    expect(await confirmPhone(database.db, null, proven)).toBe(true);
    expect((await find('sms', '+14155550188'))?.id).toBe(id);
    expect(await find('sms', 'found@example.test')).toBeNull();
    await deactivate(database.db, null, id);
    expect(await find('email', 'found@example.test')).toBeNull();
    expect(await findUser(database.db, id)).toBeNull();
    expect(await lastAudit()).toMatchObject({ action: 'person.deactivate', detail: { isActive: [true, false] } });
    expect((await listPeople(database.db)).map((one) => one.id)).toContain(id);
  });

  it('get another route designation, which is noted', async () => {
    const { id } = await add({ email: 'moved@example.test', routeDesignation: '101' });
    await setDesignation(database.db, null, { id, routeDesignation: '202' });
    expect((await findUser(database.db, id))?.routeDesignation).toBe('202');
    expect(await lastAudit()).toMatchObject({ detail: { routeDesignation: ['101', '202'] } });
    const nobody = { id: 999_999, routeDesignation: null };
    await expect(setDesignation(database.db, null, nobody)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a phone number', () => {
  it.each([
    ['4155550123', '+14155550123'],
    ['(415) 555-0123', '+14155550123'],
    ['1-415-555-0123', '+14155550123'],
    ['+49 30 123456', '+4930123456'],
    ['0049 30 123456', '+4930123456'],
  ])('%s is stored as %s', (written, stored) => {
    expect(toE164(written)).toBe(stored);
  });

  it.each(['', '+', '555-0123', '415555012x', '+0 123 456 789', '+1234567890123456', '22345678901', 'abc'])(
    '%s is none',
    (written) => {
      expect(toE164(written)).toBeNull();
    },
  );
});
