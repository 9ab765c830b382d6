import { eq, sql } from 'drizzle-orm';
import type { AlertRules } from '../../contract/alerts.ts';
import { type AlertSettings, alertSettings, usualAlertSettings } from '../../domain/alert-rules.ts';
import type { Db } from '../db/database.ts';
import { alertSettingsTable } from './tables.ts';

/** What raises alerts now; what holds usually until somebody changed it. */
export async function readAlertSettings(db: Db): Promise<AlertRules> {
  const [row] = await db.select().from(alertSettingsTable).where(eq(alertSettingsTable.id, 1));
  if (!row) return { ...usualAlertSettings, version: 0 };
  // A rule that came with a later version of the program holds as it does usually.
  const { rules, digest } = usualAlertSettings;
  const stored = alertSettings.safeParse({
    rules: { ...rules, ...objectOf(row.rules) },
    digest: { ...digest, ...objectOf(row.digest) },
  });
  return { ...(stored.success ? stored.data : usualAlertSettings), version: row.version };
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Writes the settings in place of the version given, or of any; false when they are of another version by now. */
export async function writeAlertSettings(db: Db, settings: AlertSettings, version: number | null): Promise<boolean> {
  const { rules, digest } = usualAlertSettings;
  await db.insert(alertSettingsTable).values({ id: 1, rules, digest }).onConflictDoNothing();
  const written = await db
    .update(alertSettingsTable)
    .set({ rules: settings.rules, digest: settings.digest, version: sql`${alertSettingsTable.version} + 1` })
    .where(version === null ? sql`true` : eq(alertSettingsTable.version, version))
    .returning({ id: alertSettingsTable.id });
  return written.length > 0;
}

/** Whether the letter of a day has not been sent yet. */
export async function isDigestDue(db: Db, day: string): Promise<boolean> {
  const [row] = await db.select({ sentOn: alertSettingsTable.digestSentOn }).from(alertSettingsTable);
  return row !== undefined && row.sentOn !== day;
}

/** Notes that the letter of a day is being sent; false when it was already. Of two processes only one is told true. */
export async function takeDigestDay(db: Db, day: string): Promise<boolean> {
  const taken = await db
    .update(alertSettingsTable)
    .set({ digestSentOn: day })
    .where(sql`${alertSettingsTable.digestSentOn} is distinct from ${day}::date`)
    .returning({ id: alertSettingsTable.id });
  return taken.length > 0;
}
