import { sql } from 'drizzle-orm';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Deps, Message } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { readAlertSettings, takeDigestDay } from './settings.ts';

type Line = { machineName: string; severity: string; message: string };

/** More than these are only counted. */
const listedAtMost = 40;

/** Writes to the managers once a day what is open, from the hour that was set; nothing while switched off or all is well. */
export async function sendDigest(deps: Pick<Deps, 'db' | 'clock' | 'mailer' | 'env'>): Promise<void> {
  const { digest } = await readAlertSettings(deps.db);
  if (!digest.enabled) return;
  const { timeZone, name } = await getOperator(deps.db);
  const now = deps.clock.now();
  if (hourIn(timeZone, now) < digest.hour) return;
  if (!(await takeDigestDay(deps.db, dayIn(timeZone, now)))) return;
  const open = await findOpen(deps.db);
  if (open.total === 0) return;
  for (const { email } of await findManagers(deps.db)) {
    await deps.mailer.send(letterTo(email, open, { operator: name, address: deps.env.publicUrl }));
  }
}

const hourIn = (timeZone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(at));

async function findOpen(db: Db): Promise<{ total: number; lines: Line[] }> {
  const found = await rows<Line & { total: number }>(
    db,
    sql`select m.name as "machineName", a.severity, a.message, (count(*) over ())::int as total
        from vending_machine_alerts a join vending_machines m on m.id = a.machine_id
        where a.resolved_at is null and not a.acknowledged and m.deleted_at is null
        order by array_position(array['critical', 'high', 'medium', 'low']::varchar[], a.severity), a.created_at desc
        limit ${listedAtMost}`,
  );
  return { total: found[0]?.total ?? 0, lines: found };
}

function findManagers(db: Db): Promise<{ email: string }[]> {
  return rows(
    db,
    sql`select email from users where is_active and role in ('route_manager', 'admin') and email <> '' order by id`,
  );
}

type Context = { operator: string; address: string | null };

function letterTo(to: string, { total, lines }: { total: number; lines: Line[] }, context: Context): Message {
  const subject = `${total} ${total === 1 ? 'alert is' : 'alerts are'} waiting${context.operator ? `, ${context.operator}` : ''}`;
  const listed = lines.map((line) => `${line.severity.toUpperCase()}  ${line.machineName}: ${line.message}`);
  const rest = total - lines.length;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  const link = context.address ? ['', `${context.address.replace(/\/$/, '')}/vending-machines/alerts`] : [];
  const text = [...listed, ...more, '', 'Switch this letter off under Vending Machines, All alerts, Rules.', ...link];
  return { to, channel: 'email', subject, text: text.join('\n'), code: null };
}
