import type { Changes, EventResult } from '../../../contract/sync.ts';

/**
 * Guards for what the server says, in plain code: the schemas of the contract would bring their library into the first
 * screen. They decide only whether this is the server's answer at all, so that no foreign page ends an upload.
 */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const statuses: ReadonlySet<unknown> = new Set(['applied', 'duplicate', 'superseded', 'needs_review', 'rejected']);

function isEventResult(value: unknown): value is EventResult {
  return isRecord(value) && typeof value.eventId === 'string' && statuses.has(value.status);
}

/** Results with an unknown shape are left out: their events stay unsent. */
export function asPushReply(body: unknown): { serverTime: string; results: EventResult[] } | null {
  if (!isRecord(body) || !isInstant(body.serverTime) || !Array.isArray(body.results)) return null;
  return { serverTime: body.serverTime, results: body.results.filter(isEventResult).map(completed) };
}

function completed(result: EventResult): EventResult {
  return {
    ...result,
    reason: result.reason ?? null,
    quantity: result.quantity ?? null,
    version: result.version ?? null,
  };
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

const lists = ['markets', 'machines', 'items', 'slots', 'products', 'routes', 'removed'] as const;

export function asChanges(body: unknown): Changes | null {
  if (!isRecord(body) || !isInstant(body.serverTime) || typeof body.cursor !== 'string') return null;
  // The lists are the server's own, made by the schema both sides share; their rows are not walked again.
  return lists.every((name) => Array.isArray(body[name])) ? (body as Changes) : null;
}

export function asMissing(body: unknown): Set<unknown> | null {
  return isRecord(body) && Array.isArray(body.missing) ? new Set(body.missing) : null;
}
