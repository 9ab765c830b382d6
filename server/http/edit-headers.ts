import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';

/** What the headers of an edit say: the event's id, so that sending again is harmless, and the version it builds on. */
export type EditHeaders = { eventId: string | null; version: number | null };

type Headers = Record<string, string | string[] | undefined>;

export function parseEditHeaders(headers: Headers): EditHeaders {
  return { eventId: idempotencyKey(headers), version: versionOf(headers['if-match']) };
}

export function idempotencyKey({ 'idempotency-key': value }: Headers): string | null {
  if (value === undefined) return null;
  const parsed = z.uuid().safeParse(value);
  if (!parsed.success) throw new AppError('invalid-input', 'The Idempotency-Key must be a UUID.');
  return parsed.data.toLowerCase();
}

function versionOf(value: string | string[] | undefined): number | null {
  if (value === undefined || value === '*') return null;
  const match = /^(?:W\/)?"?(\d{1,15})"?$/.exec(String(value).trim());
  if (!match) throw new AppError('invalid-input', 'If-Match must be the version number that was read.');
  return Number(match[1]);
}
