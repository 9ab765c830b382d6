import { sql } from 'drizzle-orm';
import { notFound } from '../../domain/errors.ts';
import { type Actor, recordAudit } from '../audit/service.ts';
import { forgetSignIns, signInsOf } from '../auth/service.ts';
import { type Db, rows } from '../db/database.ts';
import { deviceLoginsOf, forgetDevicesOf } from '../devices/service.ts';
import { anonymise, deactivate, listPeople, type User } from '../people/service.ts';
import { dropFactors, listFactors } from '../second-factor/service.ts';

/** The person behind an address; throws `not-found`. */
export async function personByEmail(db: Db, email: string): Promise<User> {
  const found = (await listPeople(db)).find((person) => person.email.toLowerCase() === email.trim().toLowerCase());
  if (!found) throw notFound('person');
  return found;
}

/**
 * Forgets a person: shut out at once, and every name, address and device trace is gone. Their id stays, as 'Former user
 * n', so that the sums of stock, sales and visits do not change. Throws `conflict` for the last administrator.
 */
export async function forgetPerson(db: Db, actor: Actor, person: User): Promise<void> {
  await db.transaction(async (tx) => {
    if (person.isActive) await deactivate(tx, actor, person.id);
    await forgetSignIns(tx, person);
    await dropFactors(tx, person.id);
    await forgetDevicesOf(tx, person.id);
    await anonymise(tx, person.id);
    await recordAudit(tx, actor, { action: 'person.forget', objectType: 'user', objectId: person.id });
  });
}

/** Everything kept about a person, as one JSON document for them to carry away. */
export async function exportPerson(db: Db, person: User) {
  const { id } = person;
  return {
    person,
    ...(await signInsOf(db, id)),
    deviceLogins: await deviceLoginsOf(db, id),
    secondSteps: await listFactors(db, id),
    access: await rows(
      db,
      sql`select application_name, route_designation, permissions, is_active, expires_at, created_at
          from application_access where user_id = ${id} order by id`,
    ),
    visits: await rows(db, sql`select * from visits where actor_id = ${id} order by opened_at`),
    photos: await rows(
      db,
      sql`select hash, width, height, uploaded_at from photos where uploaded_by = ${id} order by uploaded_at`,
    ),
    routes: await rows(db, sql`select * from routes where driver_id = ${id} order by id`),
    stops: await rows(
      db,
      sql`select route_id, id as stop_id, actual_arrival, completed_at, skipped_reason from route_stops
          where completed_by = ${id} order by completed_at`,
    ),
    dayEnds: await rows(db, sql`select * from day_ends where user_id = ${id} order by date`),
    cashCounts: await rows(db, sql`select * from cash_counts where counted_by = ${id} order by counted_at`),
    counts: await rows(
      db,
      sql`select item_type, item_id, kind, quantity, effective_at from stock_movements where actor_id = ${id}
          order by effective_at`,
    ),
    audit: await rows(
      db,
      sql`select at, action, object_type, object_id, detail, address from audit_log
          where actor_id = ${id} or (object_type = 'user' and object_id = ${String(id)}) order by id`,
    ),
  };
}
