import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Database, Db } from './database.ts';
import { firstRow } from './database.ts';

const oldest = 15;

export async function requireVersion(db: Db): Promise<void> {
  const found = await firstRow<{ version: string }>(db, sql`select current_setting('server_version_num') as version`);
  refuseOldVersion(Number(found?.version ?? 0));
}

/** Takes PostgreSQL's own number, e.g. 150004 for 15.4. */
export function refuseOldVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= oldest) return;
  throw new AppError(
    'unavailable',
    `PostgreSQL ${oldest} or newer is needed; DATABASE_URL leads to ${major}. Upgrade that server, or name a newer one.`,
  );
}

/** What PostgreSQL promises to keep when the power fails, by the settings that make it so. */
const promises = {
  fsync: 'a loss of power may destroy the database',
  full_page_writes: 'a loss of power may leave pages half written',
  synchronous_commit: 'the last second of what was confirmed may be lost in a crash',
} as const;
type Promised = keyof typeof promises;

/** The settings that are off and should be on; none on the embedded database, which has none. */
export async function brokenPromises({ db, kind }: Database): Promise<Promised[]> {
  if (kind === 'embedded') return [];
  const found = await firstRow<Record<Promised, string>>(
    db,
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
          current_setting('synchronous_commit') as synchronous_commit`,
  );
  return (Object.keys(promises) as Promised[]).filter((name) => found?.[name] === 'off');
}

/** By how many milliseconds the database's clock is ahead of this machine's. */
export async function clockAheadMs(db: Db, now: Date): Promise<number> {
  const asked = performance.now();
  const row = await firstRow<{ ms: number | string }>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return Number(row?.ms) - now.getTime() - (performance.now() - asked);
}

/** Clocks closer together than this count as equal. */
export const tolerableClockMs = 2_000;

type Wish = { fsyncMayBeOff: boolean; now: Date; say: (line: string) => void };

/** Refuses a database that would lose what it confirmed, unless that is wanted; tells of what should be put right. */
export async function requireFitness(database: Database, { fsyncMayBeOff, now, say }: Wish): Promise<void> {
  for (const name of await brokenPromises(database)) {
    const sentence = `PostgreSQL has ${name} off: ${promises[name]}. Turn it on and restart PostgreSQL`;
    if (name === 'fsync' && !fsyncMayBeOff) {
      throw new AppError('unavailable', `${sentence}, or set MILKRUN_FSYNC_OFF=1 for a trial whose data may be lost.`);
    }
    say(`${sentence}.`);
  }
  const ahead = await clockAheadMs(database.db, now);
  if (Math.abs(ahead) > tolerableClockMs) say(clockSentence(ahead));
}

export function clockSentence(ahead: number): string {
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `The clock of this machine is ${seconds} s ${ahead > 0 ? 'behind' : 'ahead of'} that of the database. Let both keep time by NTP.`;
}
