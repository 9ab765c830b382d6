import { sql } from 'drizzle-orm';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Deps, Message } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { isDigestDue, readAlertSettings, takeDigestDay } from './settings.ts';

type Line = { machineName: string; severity: string; message: string };

/** More than these are only counted. */
const listedAtMost = 40;

/**
 * Writes to the managers once a day what nobody has taken note of, from the hour that was set; nothing while switched off or all
 * is well. While the mail server is away it fails before the day counts as written to: the next hour tries again.
 */
export async function sendDigest(deps: Pick<Deps, 'db' | 'clock' | 'mailer' | 'env'>): Promise<void> {
  const { digest } = await readAlertSettings(deps.db);
  if (!digest.enabled) return;
  const { timeZone, name } = await getOperator(deps.db);
  const now = deps.clock.now();
  if (hourIn(timeZone, now) < digest.hour) return;
  const day = dayIn(timeZone, now);
  if (!(await isDigestDue(deps.db, day))) return;
  await deps.mailer.check('email');
  if (!(await takeDigestDay(deps.db, day))) return;
  const found = await findNew(deps.db);
  if (found.total === 0) return;
  const context = { operator: name, address: deps.env.publicUrl, at: timeIn(timeZone, now) };
  for (const { email } of await findManagers(deps.db)) await deps.mailer.send(letterTo(email, found, context));
}

const hourIn = (timeZone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(at));

/** On the operator's clock, with day and zone: the letter may be read hours later and elsewhere. */
const timeIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-US', { ...letterTime, timeZone }).format(at).replaceAll('\u202f', ' ');

const letterTime: Intl.DateTimeFormatOptions = {
  ...{ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
};

type Found = { total: number; counts: { severity: string; count: number }[]; lines: Line[] };

const isNew = sql`a.resolved_at is null and not a.acknowledged and m.deleted_at is null`;
const alertsOfMachines = sql`vending_machine_alerts a join vending_machines m on m.id = a.machine_id`;
const gravest = sql`array_position(array['critical', 'high', 'medium', 'low']::varchar[], a.severity)`;

async function findNew(db: Db): Promise<Found> {
  const counts = await rows<{ severity: string; count: number }>(
    db,
    sql`select a.severity, count(*)::int as count from ${alertsOfMachines} where ${isNew}
        group by a.severity order by ${gravest}`,
  );
  const lines = await rows<Line>(
    db,
    sql`select m.name as "machineName", a.severity, a.message from ${alertsOfMachines} where ${isNew}
        order by ${gravest}, a.created_at desc limit ${listedAtMost}`,
  );
  return { total: counts.reduce((sum, { count }) => sum + count, 0), counts, lines };
}

function findManagers(db: Db): Promise<{ email: string }[]> {
  return rows(
    db,
    sql`select email from users where is_active and role in ('route_manager', 'admin') and email <> '' order by id`,
  );
}

type Context = { operator: string; address: string | null; at: string };

function letterTo(to: string, { total, counts, lines }: Found, { operator, address, at }: Context): Message {
  const subject = `${total} ${total === 1 ? 'alert is' : 'alerts are'} waiting${operator ? `, ${operator}` : ''}`;
  const graded = counts.map(({ severity, count }) => `${count} ${severity}`).join(', ');
  const link = address ? [`${address.replace(/\/$/, '')}/vending-machines/alerts?state=new`] : [];
  const rest = total - lines.length;
  const text = [
    `Nobody has taken note yet, ${at}: ${graded}.`,
    ...link,
    '',
    ...lines.map((line) => `${line.severity.toUpperCase()}  ${line.machineName}: ${line.message}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    '',
    'An administrator or a route manager switches this letter off for all under Vending Machines, All alerts, Rules.',
  ];
  return { to, channel: 'email', subject, text: text.join('\n'), code: null };
}
