import { isIPv6 } from 'node:net';
import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { type Db, rows } from '../db/database.ts';
import type { Contact } from './delivery/contact.ts';

type Limit = { key: string; max: number; windowMs: number };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Sender = { contact: Contact; address: string; isDemo: boolean };

/** How often codes may be asked for: per address, per contact, and by all together (text messages cost money). */
export function sendLimits({ contact, address, isDemo }: Sender): Limit[] {
  // A demo listens on loopback only, and its developers and tests sign in all day from that one address.
  const relaxed = isDemo && isLoopback(address);
  const who = `${contact.channel}:${contact.address}`;
  return [
    ...(relaxed ? [] : [{ key: `code:address:${network(address)}`, max: 20, windowMs: hourMs }]),
    { key: `code:hour:${who}`, max: relaxed ? 500 : 5, windowMs: hourMs },
    { key: `code:day:${who}`, max: relaxed ? 5_000 : 10, windowMs: dayMs },
    { key: 'code:all', max: relaxed ? 10_000 : 1_000, windowMs: hourMs },
  ];
}

type Prover = { number: string; address: string; isDemo: boolean };

/** How often a person may have codes sent to prove their number: those to sign in count along. */
export const phoneCodeLimits = ({ number, address, isDemo }: Prover): Limit[] =>
  sendLimits({ contact: { channel: 'sms', address: number }, address, isDemo });

/** As many tries as the codes of an address allow: 20 codes with 5 tries each. */
export function verifyLimits(address: string, isDemo: boolean): Limit[] {
  if (isDemo && isLoopback(address)) return [];
  return [{ key: `verify:address:${network(address)}`, max: 100, windowMs: hourMs }];
}

/** The set-up code is long; this only keeps guessers quiet. */
export function setUpLimits(address: string): Limit[] {
  return [{ key: `set-up:address:${network(address)}`, max: 10, windowMs: hourMs }];
}

type Counted = { key: string; count: number; windowEndsAt: string };

/**
 * Counts one more use against every limit in one statement; throws `too-many-requests` when one is exceeded. Windows
 * begin with the first use and are kept in the database, so a restart gives nobody a second chance.
 */
export async function countUse(db: Db, limits: readonly Limit[], use: { at: Date; noun: string }): Promise<void> {
  if (limits.length === 0) return;
  const asked = limits.map(({ key, windowMs }, order) => ({
    order,
    key,
    ends: new Date(use.at.getTime() + windowMs).toISOString(),
  }));
  const now = sql`${use.at.toISOString()}::timestamptz`;
  // In one order everywhere, so that two requests never wait for each other's rows.
  const counted = await rows<Counted>(
    db,
    sql`insert into rate_limits (key, count, window_ends_at)
        select l.key, 1, l.ends
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as l("order" int, key text, ends timestamptz)
        order by l."order"
        on conflict (key) do update set
          count = case when rate_limits.window_ends_at <= ${now} then 1 else rate_limits.count + 1 end,
          window_ends_at = case when rate_limits.window_ends_at <= ${now} then excluded.window_ends_at
                                else rate_limits.window_ends_at end
        returning key, count, window_ends_at as "windowEndsAt"`,
  );
  const max = new Map(limits.map((limit) => [limit.key, limit.max]));
  const over = counted.filter(({ key, count }) => count > (max.get(key) ?? 0));
  if (over.length === 0) return;
  const endsMs = Math.max(...over.map(({ windowEndsAt }) => new Date(windowEndsAt).getTime()));
  throw tooMany(`Too many ${use.noun}.`, Math.ceil((endsMs - use.at.getTime()) / 1000));
}

/** Takes one use back that was counted a moment ago: it was no guess. */
export async function giveBack(db: Db, limits: readonly Limit[]): Promise<void> {
  const keys = limits.map(({ key }) => key).sort();
  await db.execute(
    sql`update rate_limits set count = greatest(0, count - 1)
        where key in (select key from rate_limits where key in ${keys} order by key for update)`,
  );
}

function tooMany(sentence: string, seconds: number): AppError {
  const wait = Math.max(1, seconds);
  return new AppError('too-many-requests', `${sentence} Try again in ${inWords(wait)}.`, { retryAfterSeconds: wait });
}

function inWords(seconds: number): string {
  if (seconds < 60) return plural(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? plural(minutes, 'minute') : plural(Math.ceil(minutes / 60), 'hour');
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** Whoever has one IPv6 address has its /64 network, so that is what counts; an IPv4 address counts alone. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0] ?? address;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Enough to recognise a place by, not a person: the first three numbers of an IPv4 address, or an IPv6 /48. */
export function cutAddress(address: string): string {
  const known = network(address);
  if (!known.includes(':')) return known.replace(/\.\d+$/, '.x');
  return `${known.split(':').slice(0, 3).join(':')}::x`;
}
