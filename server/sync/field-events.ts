import type { VisitEvent } from '../../domain/field-event.ts';
import { saveDayEnd } from '../day-ends/service.ts';
import type { Db } from '../db/database.ts';
import { recordKeys } from '../inventory/service.ts';
import { applyProgress } from '../route-planning/service.ts';
import { getOperator } from '../settings/service.ts';
import { type SavedVisit, saveVisits } from '../visits/service.ts';
import type { Incoming } from './incoming.ts';
import { findEntitled } from './queries.ts';

type Context = {
  batch: { sentAtClient: string };
  deviceId: string;
  receivedAt: Date;
  caller: { userId: number; role: string };
};

/**
 * Books what happened on the route beside changes of stock, in the order of the device. What cannot be booked gets its
 * verdict, and is held like a refused count.
 */
export async function bookField(tx: Db, fresh: readonly Incoming[], context: Context): Promise<void> {
  const open = fresh.filter((one) => one.field && !one.verdict);
  if (open.length === 0) return;
  refuseDeactivated(open);
  await judgeVisits(tx, open);
  const visits: SavedVisit[] = [];
  const inOrder = open.toSorted((a, b) => (a.field?.deviceSeq ?? 0) - (b.field?.deviceSeq ?? 0));
  for (const one of inOrder) {
    if (!one.field || one.verdict) continue;
    const author = {
      userId: one.author?.userId ?? context.caller.userId,
      role: one.author?.role ?? context.caller.role,
    };
    if (one.field.type === 'visit') {
      visits.push(visitOf(one.field, author.userId, context));
      continue;
    }
    const at = new Date(one.effectiveUs / 1000);
    if (one.field.type === 'day-ended') {
      await saveDayEnd(tx, { event: one.field, userId: author.userId, endedAt: at });
      continue;
    }
    const refusal = await applyProgress(tx, { event: one.field, at, author });
    if (refusal) one.verdict = { status: 'rejected', reason: refusal };
  }
  await saveVisits(tx, visits);
  const booked = open.filter((one) => !one.verdict);
  await recordKeys(
    tx,
    booked.map((one) => ({
      eventId: one.eventId,
      payloadHash: one.hash,
      effectiveAt: new Date(one.effectiveUs / 1000).toISOString(),
    })),
  );
}

function refuseDeactivated(open: readonly Incoming[]): void {
  for (const one of open) {
    if (!one.author || one.author.isActive) continue;
    const reason = 'Your account was deactivated. A manager will look at this change.';
    one.verdict = { status: 'needs_review', reason };
  }
}

/** A visit of a location that was not the driver's then is kept for a person to look at. */
async function judgeVisits(tx: Db, open: readonly Incoming[]): Promise<void> {
  const visits = open.flatMap((one) => (one.field?.type === 'visit' ? [{ one, visit: one.field }] : []));
  const drivers = visits.filter(({ one }) => !one.verdict && one.author?.role === 'field_worker');
  if (drivers.length === 0) return;
  const { timeZone } = await getOperator(tx);
  const questions = drivers.map(({ one, visit }) => ({
    eventId: one.eventId,
    userId: one.author?.userId ?? 0,
    kind: visit.location.type,
    locationId: visit.location.id,
    effectiveAtUs: one.effectiveUs,
  }));
  const entitled = await findEntitled(tx, questions, timeZone);
  for (const { one } of drivers) {
    if (entitled.has(one.eventId)) continue;
    const reason = 'This location was not on your route at that time. Tell your route manager.';
    one.verdict = { status: 'rejected', reason };
  }
}

/** Times of the visit as ages on the phone's own clock: a wrong clock changes nothing. */
function visitOf(event: VisitEvent, actorId: number, { batch, deviceId, receivedAt }: Context): SavedVisit {
  const sentAt = Date.parse(batch.sentAtClient);
  const onServer = (stated: string): Date => new Date(receivedAt.getTime() - Math.max(0, sentAt - Date.parse(stated)));
  const openedAt = onServer(event.openedAtClient);
  return { event, actorId, deviceId, openedAt, closedAt: event.closedAtClient ? onServer(event.closedAtClient) : null };
}
