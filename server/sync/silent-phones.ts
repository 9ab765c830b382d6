import { sql } from 'drizzle-orm';
import { phoneForgottenAfterDays, spanText } from '../../domain/exception.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import type { Deps, Message } from '../deps.ts';
import { getOperator, today } from '../settings/service.ts';

/** A phone not heard of for longer than the operator allows whose person had a route since, and so perhaps changes that only the phone has. */
type SilentPhone = {
  deviceId: string;
  person: string;
  routeDesignation: string | null;
  contactAt: string;
  /** The first day since the contact with a route left open. */
  openSince: string;
  openRoutes: number;
};

const hourMs = 3_600_000;

/** Silent phones, the longest silence first. A phone that reached the server for anything is not silent. */
export async function findSilentPhones(deps: Pick<Deps, 'db' | 'clock'>): Promise<SilentPhone[]> {
  const now = deps.clock.now().getTime();
  const { timeZone, phoneSilentHours } = await getOperator(deps.db);
  const silentBefore = new Date(now - phoneSilentHours * hourMs).toISOString();
  const forgottenBefore = new Date(now - phoneForgottenAfterDays * 24 * hourMs).toISOString();
  const found = await rows<SilentPhone>(
    deps.db,
    sql`select p."deviceId", p.person, p."routeDesignation", p."contactAt", o."openSince", o."openRoutes"
        from (
          select h.device_id as "deviceId", u.id as user_id, u.route_designation as "routeDesignation",
            ${personName('u')} as person,
            greatest(d.last_seen_at, c.last_contact_at,
              (select max(s.last_seen_at) from sessions s where s.user_id = u.id)) as "contactAt"
          from device_holders h
          join field_devices d on d.device_id = h.device_id and d.is_active
          join users u on u.id = h.user_id and u.is_active and u.role = 'field_worker'
          left join device_clocks c on c.device_id = h.device_id
          where h.valid_to is null) p
        cross join lateral (
          select min(r.date)::text as "openSince", count(*)::int as "openRoutes" from routes r
          where r.status in ('planned', 'in_progress') and r.date < ${await today(deps.db, deps.clock)}
            and r.date >= (p."contactAt" at time zone ${timeZone})::date
            and (r.driver_id = p.user_id or (r.driver_id is null and r.route_designation = p."routeDesignation"))) o
        where p."contactAt" < ${silentBefore} and p."contactAt" > ${forgottenBefore} and o."openRoutes" > 0
        order by p."contactAt"`,
  );
  return found.map((phone) => ({ ...phone, contactAt: new Date(phone.contactAt).toISOString() }));
}

/** Writes to the managers once for each silence of a phone; part of the hourly jobs. */
export async function warnOfSilentPhones(deps: Deps): Promise<void> {
  const silent = await findSilentPhones(deps);
  if (silent.length === 0) return;
  const at = deps.clock.now();
  const fresh = await noteWarned(deps.db, silent, at);
  const due = silent.filter((phone) => fresh.has(phone.deviceId));
  if (due.length === 0) return;
  const { timeZone, phoneSilentHours } = await getOperator(deps.db);
  const context = { at, timeZone, silentFor: spanText(phoneSilentHours * 60), address: deps.env.publicUrl };
  for (const { email } of await findManagers(deps.db)) {
    await deps.mailer.send(messageTo(email, due, context));
  }
}

/** Takes note of the silences; returns the devices whose silence is new. */
async function noteWarned(db: Db, silent: readonly SilentPhone[], at: Date): Promise<Set<string>> {
  const noted = await rows<{ deviceId: string }>(
    db,
    sql`insert into phone_warnings (device_id, contact_at, warned_at)
        select p."deviceId", p."contactAt", ${at.toISOString()}
        from jsonb_to_recordset(${JSON.stringify(silent)}::jsonb) as p("deviceId" uuid, "contactAt" timestamptz)
        on conflict (device_id) do update set contact_at = excluded.contact_at, warned_at = excluded.warned_at
        where phone_warnings.contact_at < excluded.contact_at
        returning device_id as "deviceId"`,
  );
  return new Set(noted.map((row) => row.deviceId));
}

function findManagers(db: Db): Promise<{ email: string }[]> {
  return rows(
    db,
    sql`select email from users where is_active and role in ('route_manager', 'admin') and email <> '' order by id`,
  );
}

/** `silentFor`: how long all of them have been silent at least, in words. */
type Context = { at: Date; timeZone: string; silentFor: string; address: string | null };

function messageTo(to: string, phones: readonly SilentPhone[], { at, timeZone, silentFor, address }: Context): Message {
  const when = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const dayOf = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
  const lines = phones.map((phone) => {
    const silentMin = (at.getTime() - Date.parse(phone.contactAt)) / 60_000;
    const open = phone.openRoutes === 1 ? '1 route is' : `${phone.openRoutes} routes are`;
    return `${phone.person}: last heard of ${when.format(new Date(phone.contactAt))}, ${spanText(silentMin)} ago; ${open} open since ${dayOf.format(new Date(phone.openSince))}.`;
  });
  const [only] = phones;
  const subject =
    only && phones.length === 1
      ? `${only.person}'s phone has not been heard of for ${silentFor}`
      : `${phones.length} phones have not been heard of for ${silentFor}`;
  const advice =
    'What was counted without a network is still on the phone, and some phones clear it after seven days. ' +
    'Ask the driver to open Milkrun with a network and to leave it open until it says that every change is with the server.';
  const text = [...lines, '', advice, ...(address ? ['', address] : [])].join('\n');
  return { to, channel: 'email', subject, text, code: null };
}
