import type { z } from 'zod';
import { type FieldEvent, fieldEvent } from '../../domain/field-event.ts';
import { type StockEvent, stockEvent } from '../../domain/inventory.ts';
import { holdsUnkeepable, keepable, unkeepableText } from '../../domain/plain-text.ts';
import { sayWhatToDo } from '../http/bad-value.ts';
import { payloadHash } from '../inventory/payload-hash.ts';
import type { Opened } from '../phone-seals/service.ts';
import type { Holder, ItemFacts } from './queries.ts';

export type Batch = { deviceId: string; sentAtClient: string; events: { eventId: string }[] };
export type Verdict = { status: 'rejected' | 'needs_review'; reason: string };

/** An event on its way: what was sent, what could be read of it, and what is decided so far. */
export type Incoming = {
  eventId: string;
  raw: unknown;
  /** A change of stock. */
  event: StockEvent | null;
  /** Anything else that happened on the route. */
  field: FieldEvent | null;
  hash: string;
  effectiveUs: number;
  author: Holder | null;
  /** Whose work it is, where it came sealed: a phone delivered it after that person had signed out. */
  sealedFor: number | null;
  verdict: Verdict | null;
  /** What the server knows of the item it changes. */
  item: ItemFacts | null;
};

/** As a phone delivers it: what a signed-out person left is read as they made it. */
export function readOpened({ event, sealedFor, isShut }: Opened): Incoming {
  if (isShut) return { ...unread(event), verdict: { status: 'rejected', reason: shut } };
  return { ...read(event), sealedFor };
}

function unread(raw: { eventId: string }, told: unknown = keepable(raw)): Incoming {
  const nothing = {
    event: null,
    field: null,
    effectiveUs: 0,
    author: null,
    sealedFor: null,
    verdict: null,
    item: null,
  };
  return { eventId: raw.eventId, raw: told, hash: payloadHash({ ...raw }), ...nothing };
}

/** Reads an event by its kind: what names a type is no change of stock. What cannot be read is refused, not dropped. */
export function read(raw: { eventId: string }): Incoming {
  // Without what turns letters around: a note with it is a driver's work all the same.
  const told = keepable(raw);
  const one = unread(raw, told);
  if (holdsUnkeepable(raw)) return { ...one, verdict: { status: 'rejected', reason: unkeepableText } };
  const parsed =
    'type' in told
      ? fieldEvent.safeParse(told, { error: sayWhatToDo })
      : stockEvent.safeParse(told, { error: sayWhatToDo });
  if (!parsed.success) {
    const reason = `This change could not be read: ${firstSentence(parsed.error)}`;
    return { ...one, verdict: { status: 'rejected', reason } };
  }
  if ('type' in parsed.data) return { ...one, field: parsed.data };
  return { ...one, event: parsed.data, verdict: refusedByItself(parsed.data) };
}

const shut = 'This change was sealed for another installation and cannot be opened here. Tell your route manager.';

const notTheirs: Verdict = {
  status: 'needs_review',
  reason: 'The person who left this change on the phone did not hold it at that time. A manager will look at it.',
};

/** Sealed work is its owner's or nobody's: it is never booked under the name of whoever delivers it. */
export function refuseForeign(one: Incoming): void {
  if (one.sealedFor === null || one.sealedFor === one.author?.userId) return;
  one.author = null;
  one.verdict ??= notTheirs;
}

function firstSentence(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'event'}: ${issue.message}` : 'unknown shape';
}

function refusedByItself(event: StockEvent): Verdict | null {
  if (event.kind === 'count' && event.quantity < 0) {
    return { status: 'rejected', reason: 'A count cannot be below zero.' };
  }
  return null;
}

/** What nobody can book, whoever made it: the item is not there. */
export function refusedForItem(one: Incoming, item: ItemFacts | null | undefined): Verdict | null {
  if (!item) return { status: 'rejected', reason: 'This item is not known. Tell your route manager.' };
  if (item.deletedAtUs !== null && Number(item.deletedAtUs) <= one.effectiveUs) {
    return { status: 'rejected', reason: 'This item was deleted before the change. Tell your route manager.' };
  }
  return null;
}

export const reused = 'This id was used for another change before. Count the item again.';

/** An id known from another change: nothing is booked, whatever it names now. */
export function refuseReused(one: Incoming, knownHash: string | undefined): void {
  if (knownHash !== undefined && knownHash !== one.hash) one.verdict = { status: 'rejected', reason: reused };
}
