import { AppError, notFound } from '../../domain/errors.ts';
import { type Role, roleLabel, roles } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { type Actor, changedFields, recordAudit } from '../audit/service.ts';
import { requireFresh } from '../auth/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { findAdminPerson } from './page.ts';
import { findByEmail, findById, findByPhone, lockAdministrators, type UserRow, updateUser } from './queries.ts';
import { createUser, inUse, normalisePhone, refuseForLast, type User } from './service.ts';

type Input = {
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string | null;
  role: Role;
  routeDesignation: string | null;
  isActive?: boolean | undefined;
};

/** Adds a person; the invitation goes out once they are there. */
export async function invite(deps: Deps, caller: Caller, input: Input) {
  const by = { actor: caller, at: deps.clock.now() };
  const person = { ...input, phoneNumber: input.phoneNumber || null };
  const made = await deps.db.transaction(async (tx) => {
    if (isAbove(input.role, 'field_worker')) await requireFresh({ ...deps, db: tx }, caller);
    const added = await createUser(tx, by, person);
    await publish(tx, { topic: 'people', routes: [] });
    return added;
  });
  await sendInvitation(deps, caller, made);
  return seen(deps.db, made.id);
}

export async function inviteAgain(deps: Deps, caller: Caller, id: number): Promise<void> {
  const user = await findById(deps.db, id);
  if (!user) throw notFound('person');
  if (!user.isActive) {
    throw new AppError('conflict', 'This person is deactivated and could not sign in. Reactivate them first.');
  }
  await recordAudit(deps.db, caller, { action: 'person.invite', objectType: 'user', objectId: id });
  await sendInvitation(deps, caller, user);
}

async function sendInvitation(deps: Deps, caller: Caller, user: User): Promise<void> {
  const { name } = await getOperator(deps.db);
  const address = deps.env.publicUrl ?? `http://localhost:${deps.env.port}`;
  void deps.mailer.send({
    to: user.email,
    channel: 'email',
    subject: `${name}: you can sign in to Milkrun`,
    text: [
      `${user.firstName || 'Hello'},`,
      `${caller.name} has added you to Milkrun, where ${name} plans routes and keeps stock.`,
      `Open ${address}/login and enter this e-mail address. A code comes by e-mail: there is no password.`,
    ].join('\n\n'),
    code: null,
  });
}

/** Changes a person. The last administrator stays one, or nobody could ever change anything again. */
export async function change(deps: Deps, caller: Caller, id: number, input: Input) {
  const { email, isActive, ...rest } = input;
  const fields = { ...rest, email, phoneNumber: input.phoneNumber ? normalisePhone(input.phoneNumber) : null };
  let former: UserRow | null = null;
  await deps.db.transaction(async (tx) => {
    const administrators = await lockAdministrators(tx);
    const before = await findById(tx, id, { lock: true });
    if (!before) throw notFound('person');
    if (isActive !== undefined && isActive !== before.isActive) {
      const sentence = `Use the call to ${isActive ? 'reactivate' : 'deactivate'} a person to change who may sign in.`;
      throw new AppError('invalid-input', sentence, { fields: { isActive: sentence } });
    }
    if (input.role !== 'admin') refuseForLast(administrators, before, `become a ${roleLabel[input.role]}`);
    await refuseTaken(tx, before, fields);
    const contacts = contactsChanged(before, fields);
    if (contacts.length > 0 || isAbove(input.role, role.parse(before.role)))
      await requireFresh({ ...deps, db: tx }, caller);
    await updateUser(tx, id, { ...fields, ...(contacts.includes('phoneNumber') ? { phoneConfirmedAt: null } : {}) });
    former = contacts.length > 0 ? before : null;
    const changed = changedFields(comparable(before), comparable({ ...before, ...fields }));
    if (Object.keys(changed).length === 0) return;
    await recordAudit(tx, caller, {
      action: 'person.update',
      objectType: 'user',
      objectId: id,
      detail: masked(changed),
    });
    await publish(tx, { topic: 'settings', routes: [], users: [id] });
    await publish(tx, { topic: 'people', routes: [] });
  });
  if (former) tellOfChange(deps, caller, former);
  return seen(deps.db, id);
}

/** A role that lets do more: whoever finds an open screen must not be able to give it. */
const isAbove = (wanted: Role, than: Role): boolean => roles.indexOf(wanted) > roles.indexOf(than);

type Contacts = Pick<UserRow, 'email' | 'phoneNumber'>;

/** What somebody signs in with, where it becomes another. */
function contactsChanged(before: Contacts, after: Contacts): (keyof Contacts)[] {
  const isSameMail = before.email.toLowerCase() === after.email.toLowerCase();
  return [
    ...(isSameMail ? [] : (['email'] as const)),
    ...(before.phoneNumber === after.phoneNumber ? [] : (['phoneNumber'] as const)),
  ];
}

/** To the address before: a new one would tell whoever took the account over. */
function tellOfChange({ mailer }: Deps, caller: Caller, { email }: UserRow): void {
  const text = `${caller.name} changed the e-mail address or phone number with which you sign in to Milkrun. Is that not right? Then tell your administrator.`;
  void mailer.send({ to: email, channel: 'email', subject: 'Your Milkrun sign-in was changed', text, code: null });
}

const comparable = ({ email, phoneNumber, firstName, lastName, role, routeDesignation }: UserRow) => ({
  email,
  phoneNumber,
  name: `${firstName} ${lastName}`.trim(),
  role,
  routeDesignation,
});

/** Names and contacts are told masked: the log outlives the person's data. */
const masks: Record<string, (text: string) => string> = {
  email: (text) => `${text.slice(0, 1)}…${text.slice(text.lastIndexOf('@'))}`,
  phoneNumber: (text) => `…${text.slice(-2)}`,
  name: (text) => text.replaceAll(/(\S)\S*/g, '$1…'),
};

function masked(changed: Record<string, unknown>): Record<string, unknown> {
  const shown = Object.entries(changed).map(([name, values]) => {
    const mask = masks[name];
    const both =
      Array.isArray(values) && mask ? values.map((one) => (typeof one === 'string' ? mask(one) : one)) : values;
    return [name, both] as const;
  });
  return Object.fromEntries(shown);
}

async function refuseTaken(tx: Db, before: UserRow, { email, phoneNumber }: Pick<UserRow, 'email' | 'phoneNumber'>) {
  const sameEmail = await findByEmail(tx, email);
  if (sameEmail && sameEmail.id !== before.id) throw inUse('email');
  const samePhone = phoneNumber ? await findByPhone(tx, phoneNumber) : null;
  if (samePhone && samePhone.id !== before.id) throw inUse('phoneNumber');
}

export async function reactivate(deps: Deps, caller: Actor, id: number) {
  await deps.db.transaction(async (tx) => {
    const before = await findById(tx, id, { lock: true });
    if (!before) throw notFound('person');
    if (before.isActive) return;
    await updateUser(tx, id, { isActive: true });
    const detail = changedFields({ isActive: false }, { isActive: true });
    await recordAudit(tx, caller, { action: 'person.reactivate', objectType: 'user', objectId: id, detail });
    await publish(tx, { topic: 'people', routes: [] });
  });
  return seen(deps.db, id);
}

export async function seen(db: Db, id: number) {
  const person = await findAdminPerson(db, id);
  if (!person) throw notFound('person');
  return person;
}
