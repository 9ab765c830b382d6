import { z } from 'zod';
import { isSomewhere, latitude, longitude, unknownPosition } from './location.ts';
import { requiredText, text } from './market.ts';
import { addDays, dayIn, instantIn } from './time.ts';

export const incidentSeverity = z.enum(['low', 'medium', 'high', 'critical'], {
  error: 'Severity must be low, medium, high or critical',
});
export type IncidentSeverity = z.infer<typeof incidentSeverity>;

export const incidentType = z.enum(['accident', 'congestion', 'construction', 'closure', 'weather', 'event', 'other'], {
  error: 'Type must be accident, congestion, construction, closure, weather, event or other',
});
export type IncidentType = z.infer<typeof incidentType>;

export const incidentStatus = z.enum(['active', 'resolved'], { error: 'Status must be active or resolved' });
export type IncidentStatus = z.infer<typeof incidentStatus>;

/**
 * Kilometres; a wider circle would slow a whole region. A form begins with `usual` in the unit that its person reads: half a
 * kilometre as so many miles is nobody's figure.
 */
export const incidentRadius = { defaultKm: 0.5, maxKm: 100, usual: 0.5 };
const longestMin = 60 * 24 * 366;

const durationSentence = 'Duration must be a whole number of minutes of at least 1';

/** Kilometres of the circle in which traffic is slow. */
function radiusUpTo(widest: string) {
  const sentence = `Radius must be more than 0 and at most ${widest}`;
  return z.number({ error: sentence }).positive(sentence).max(incidentRadius.maxKm, sentence);
}
const widestKm = `${incidentRadius.maxKm} km`;
const radius = radiusUpTo(widestKm);

const duration = z
  .int({ error: durationSentence })
  .min(1, durationSentence)
  .max(longestMin, 'Duration must be at most a year');

const moment = (label: string) =>
  z.iso.datetime({ offset: true, error: `${label} must be a date and time such as 2026-03-12T15:00:00Z` });

const incidentFields = z.strictObject({
  title: requiredText(255, 'Title'),
  description: text(2000, 'Description').nullish(),
  latitude,
  longitude,
  severity: incidentSeverity,
  type: incidentType,
  /** Kilometres. */
  radius: radius.default(incidentRadius.defaultKm),
  /** Minutes that it is expected to last; none: until it is resolved, at most for the day it begins on. */
  estimatedDuration: duration.nullish(),
  /** When it begins; none: now. */
  reportedAt: moment('Start').nullish(),
  resolvedAt: moment('End').nullish(),
  /** The road cannot be passed at all, whatever the type. */
  roadClosed: z.boolean({ error: 'Road closed must be true or false' }).default(false),
});

type Span = { reportedAt?: string | null | undefined; resolvedAt?: string | null | undefined };

/** True when the end does not lie before the start. */
function isInOrder({ reportedAt, resolvedAt }: Span): boolean {
  return !reportedAt || !resolvedAt || Date.parse(resolvedAt) >= Date.parse(reportedAt);
}

const endBeforeStart = { path: ['resolvedAt'], message: 'End must not lie before the start' };

type Told = Span & { estimatedDuration?: number | null | undefined };

/**
 * From when to when an incident is told to be. An end that lies ahead is none yet: it says how long the incident lasts. One
 * that is over began by its end, also where nobody said when. `known` is the start of what was told of before.
 */
export function spanTold({ reportedAt, resolvedAt, estimatedDuration }: Told, now: Date, known: Date | null = null) {
  const end = resolvedAt ? new Date(resolvedAt) : null;
  const isOver = end !== null && end <= now;
  const start = (reportedAt ? new Date(reportedAt) : known) ?? (isOver ? end : now);
  if (end === null || isOver) {
    const status: IncidentStatus = isOver ? 'resolved' : 'active';
    return { status, reportedAt: start, resolvedAt: end, estimatedDuration: estimatedDuration ?? null };
  }
  const lastsMin = Math.min(longestMin, Math.max(1, Math.round((end.getTime() - start.getTime()) / 60_000)));
  return { status: 'active' as const, reportedAt: start, resolvedAt: null, estimatedDuration: lastsMin };
}

/** What is said of an incident, with the widest radius in the words of who reads the refusal. */
export const incidentInputUpTo = (widest: string) =>
  incidentFields
    .extend({ radius: radiusUpTo(widest).default(incidentRadius.defaultKm) })
    .refine(isInOrder, endBeforeStart)
    .refine(isSomewhere, unknownPosition);

/** What a person or a file may say of an incident. */
export const incidentInput = incidentInputUpTo(widestKm);
export type IncidentInput = z.output<typeof incidentInput>;

/** An edit may name some fields only; the rest stays. */
export const incidentUpdate = incidentFields
  .partial()
  .extend({
    radius: radius.optional(),
    roadClosed: z.boolean().optional(),
    /** As it was read, and so is `resolvedAt`: an end and its taking back are calls of their own. */
    status: incidentStatus.optional(),
  })
  .refine(isSomewhere, unknownPosition);
export type IncidentUpdate = z.output<typeof incidentUpdate>;

const factor = z
  .number({ error: 'Each factor must be a number from 1 to 20' })
  .min(1, 'Each factor must be a number from 1 to 20')
  .max(20, 'Each factor must be a number from 1 to 20');

/** How many times as long a stretch takes inside the circle. */
export const incidentFactors = z.strictObject({ low: factor, medium: factor, high: factor, critical: factor });
export type IncidentFactors = z.output<typeof incidentFactors>;

/** The factors as typed into a form. */
export const typedFactors = z.preprocess(
  (typed) =>
    Object.fromEntries(Object.entries(typed as Record<string, string>).map(([name, text]) => [name, asNumber(text)])),
  incidentFactors,
);

/** NaN for what is no number, an empty text included. */
function asNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
}

/** Used until an administrator sets others. */
export const usualFactors: IncidentFactors = { low: 1.2, medium: 1.6, high: 2.5, critical: 4 };

type Lifetime = {
  status: string;
  reportedAt: Date;
  resolvedAt: Date | null;
  estimatedDuration: number | null;
};

/**
 * When an incident is over as far as is known. One that nobody gave a duration ends with the day it begins on, on the
 * operator's clock: what blocks a road this morning says nothing of tomorrow's plans.
 */
export function endOf(incident: Omit<Lifetime, 'status'>, timeZone: string): Date {
  const { reportedAt, resolvedAt, estimatedDuration } = incident;
  if (resolvedAt) return resolvedAt;
  if (estimatedDuration !== null) return new Date(reportedAt.getTime() + estimatedDuration * 60_000);
  return instantIn(timeZone, addDays(dayIn(timeZone, reportedAt), 1), 0);
}

/** Whether an incident slows what is driven between two instants: active, and the times overlap. */
export function countsBetween(
  incident: Lifetime,
  { from, until }: { from: Date; until: Date },
  timeZone: string,
): boolean {
  if (incident.status !== 'active') return false;
  return incident.reportedAt.getTime() <= until.getTime() && endOf(incident, timeZone).getTime() > from.getTime();
}
