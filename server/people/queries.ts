import { and, asc, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { users } from './tables.ts';

export type UserRow = typeof users.$inferSelect;

export type NewUser = Pick<
  UserRow,
  'email' | 'phoneNumber' | 'firstName' | 'lastName' | 'role' | 'routeDesignation' | 'createdAt'
> &
  Partial<Pick<UserRow, 'phoneConfirmedAt'>>;

/** Null when somebody has this e-mail address or phone number already. */
export async function insertUser(db: Db, user: NewUser): Promise<UserRow | null> {
  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning();
  return row ?? null;
}

const hasEmail = (email: string): SQL => sql`lower(${users.email}) = lower(${email})`;

export async function findByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(hasEmail(email));
  return row ?? null;
}

/** The person who can be reached there and may sign in. */
export async function findActiveByContact(db: Db, channel: 'email' | 'sms', address: string): Promise<UserRow | null> {
  // One plan for both channels: an unknown contact costs what a known one does.
  const reached = or(
    and(sql`${channel} = 'email'`, hasEmail(address)),
    and(sql`${channel} = 'sms'`, eq(users.phoneNumber, address), isNotNull(users.phoneConfirmedAt)),
  );
  const [row] = await db.select().from(users).where(and(users.isActive, reached));
  return row ?? null;
}

export async function findActiveById(db: Db, id: number): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), users.isActive));
  return row ?? null;
}

/** A person, deactivated or not; locked until the transaction ends where asked for. */
export async function findById(db: Db, id: number, { lock = false } = {}): Promise<UserRow | null> {
  const found = db.select().from(users).where(eq(users.id, id));
  const [row] = await (lock ? found.for('update') : found);
  return row ?? null;
}

export async function findByPhone(db: Db, phoneNumber: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.phoneNumber, phoneNumber));
  return row ?? null;
}

/** Everybody who may administer, locked until the transaction ends: two of them cannot remove each other at once. */
export async function lockAdministrators(db: Db): Promise<number[]> {
  const administrators = and(eq(users.role, 'admin'), users.isActive);
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(administrators)
    .orderBy(asc(users.id))
    .for('update');
  return found.map(({ id }) => id);
}

export function findAll(db: Db): Promise<UserRow[]> {
  return db.select().from(users).orderBy(asc(users.id));
}

/** Those who may sign in and are not field workers. */
export function findOffice(db: Db): Promise<UserRow[]> {
  const isOfOffice = and(users.isActive, ne(users.role, 'field_worker'));
  return db.select().from(users).where(isOfOffice).orderBy(asc(users.id));
}

export async function hasAny(db: Db): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).limit(1);
  return found.length > 0;
}

/** The row as it was before; null when there is no such person. */
export async function updateUser(
  db: Db,
  id: number,
  fields: Partial<Omit<UserRow, 'id' | 'createdAt'>>,
): Promise<UserRow | null> {
  const [before] = await db.select().from(users).where(eq(users.id, id)).for('update');
  if (before) await db.update(users).set(fields).where(eq(users.id, id));
  return before ?? null;
}

export async function renamePeopleDesignation(db: Db, from: string, to: string): Promise<void> {
  await db.execute(sql`update users set route_designation = ${to} where route_designation = ${from}`);
}
