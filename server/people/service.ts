import { z } from 'zod';
import { AppError, notFound } from '../../domain/errors.ts';
import { role } from '../../domain/role-schemas.ts';
import { type Actor, changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { parseInput } from '../http/handle.ts';
import { publish } from '../live/hub.ts';
import { toE164 } from './phone.ts';
import {
  findActiveByContact,
  findActiveById,
  findAll,
  findByEmail,
  findById,
  findOffice,
  hasAny,
  insertUser,
  lockAdministrators,
  type UserRow,
  updateUser,
} from './queries.ts';

export { anonymise } from './forget.ts';
export { renamePeopleDesignation } from './queries.ts';

export type User = UserRow;

const phoneHint = 'Enter a phone number with 10 digits, or with + and the country code';

const newPerson = z.strictObject({
  email: z.string().trim().max(255).pipe(z.email('Enter an e-mail address such as name@company.com')),
  phoneNumber: z.string().nullable().default(null),
  firstName: z.string().trim().max(100).default(''),
  lastName: z.string().trim().max(100).default(''),
  role: role.default('field_worker'),
  routeDesignation: z.string().trim().min(1).max(20).nullable().default(null),
});
export type NewPerson = z.input<typeof newPerson>;

type By = {
  actor: Actor;
  at: Date;
  /** Whoever has the server's own console vouches for the number. */
  phoneIsProven?: boolean;
};

/** Adds a person; call it in the transaction of what goes with it. Throws `conflict` for a contact in use. */
export async function createUser(db: Db, by: By, input: NewPerson): Promise<User> {
  const given = parseInput(newPerson, input);
  const phoneNumber = given.phoneNumber === null ? null : normalisePhone(given.phoneNumber);
  const phoneConfirmedAt = phoneNumber && by.phoneIsProven ? by.at : null;
  const made = await insertUser(db, { ...given, phoneNumber, phoneConfirmedAt, createdAt: by.at });
  if (!made) throw await contactInUse(db, given.email);
  await recordAudit(db, by.actor, {
    action: 'person.create',
    objectType: 'user',
    objectId: made.id,
    detail: { role: made.role, routeDesignation: made.routeDesignation },
  });
  return made;
}

async function contactInUse(db: Db, email: string): Promise<AppError> {
  return inUse((await findByEmail(db, email)) ? 'email' : 'phoneNumber');
}

/** Refuses a contact that somebody has already. */
export function inUse(field: 'email' | 'phoneNumber'): AppError {
  const noun = field === 'email' ? 'e-mail address' : 'phone number';
  const sentence = `A person with this ${noun} exists already.`;
  return new AppError('conflict', sentence, { fields: { [field]: sentence } });
}

/** The stored form of a phone number; throws `invalid-input` for what is none. */
export function normalisePhone(written: string): string {
  const number = toE164(written);
  if (!number) throw new AppError('invalid-input', phoneHint, { fields: { phoneNumber: phoneHint } });
  return number;
}

/** The active person behind a normalised e-mail address or phone number. */
export function findUserByContact(db: Db, channel: 'email' | 'sms', address: string): Promise<User | null> {
  return findActiveByContact(db, channel, address);
}

/** An active person. */
export function findUser(db: Db, id: number): Promise<User | null> {
  return findActiveById(db, id);
}

/** A person, deactivated or not. */
export function findPerson(db: Db, id: number): Promise<User | null> {
  return findById(db, id);
}

/** Everybody, deactivated people too. */
export function listPeople(db: Db): Promise<User[]> {
  return findAll(db);
}

/** Managers and administrators who may sign in. */
export function listOffice(db: Db): Promise<User[]> {
  return findOffice(db);
}

/** Whether anybody was ever added: before that the first administrator has to be set up. */
export function hasPeople(db: Db): Promise<boolean> {
  return hasAny(db);
}

/** Notes that a person has proven to hold their number; false when it is another one meanwhile. */
export async function confirmPhone(db: Db, actor: Actor, { id, phoneNumber, at }: Proven): Promise<boolean> {
  const before = await findById(db, id, { lock: true });
  if (before?.phoneNumber !== phoneNumber) return false;
  await updateUser(db, id, { phoneConfirmedAt: at });
  await recordAudit(db, actor, { action: 'person.phone-confirmed', objectType: 'user', objectId: id });
  return true;
}

type Proven = { id: number; phoneNumber: string; at: Date };

/** Notes that a person was here. */
export async function noteSeen(db: Db, id: number, at: Date): Promise<void> {
  await updateUser(db, id, { lastActiveAt: at });
}

/** Gives a person another route designation, or none. Events made before stay accepted: the history is kept. */
export async function setDesignation(db: Db, actor: Actor, person: { id: number; routeDesignation: string | null }) {
  await db.transaction(async (tx) => {
    await change(tx, actor, person.id, { routeDesignation: person.routeDesignation });
    await publish(tx, { topic: 'settings', routes: [], users: [person.id] });
  });
}

/** Marks a person as deactivated. Sessions end with `deactivatePerson` of the sign-in feature, which calls this. */
export async function deactivate(db: Db, actor: Actor, id: number): Promise<void> {
  const administrators = await lockAdministrators(db);
  const person = await findById(db, id);
  if (person) refuseForLast(administrators, person, 'be deactivated');
  await change(db, actor, id, { isActive: false });
  await publish(db, { topic: 'people', routes: [] });
}

/** The last administrator stays one: nobody else could ever make another. `wish` completes 'cannot ...'. */
export function refuseForLast(administrators: readonly number[], person: User, wish: string): void {
  if (administrators.length !== 1 || administrators[0] !== person.id) return;
  const sentence = `${person.email} is the only active Super Admin and cannot ${wish}. Make somebody else a Super Admin first.`;
  throw new AppError('conflict', sentence);
}

type Change = { routeDesignation: string | null } | { isActive: boolean };

async function change(db: Db, actor: Actor, id: number, fields: Change): Promise<void> {
  const before = await updateUser(db, id, fields);
  if (!before) throw notFound('person');
  await recordAudit(db, actor, {
    action: 'isActive' in fields ? 'person.deactivate' : 'person.update',
    objectType: 'user',
    objectId: id,
    detail: changedFields(before, fields),
  });
}
