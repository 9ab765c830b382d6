import { effectiveAtUs, type StockEvent } from '../../domain/inventory.ts';
import { countersAmong } from '../access/service.ts';
import type { Db } from '../db/database.ts';
import { together } from '../db/together.ts';
import type { Caller } from '../http/caller.ts';
import { type Batch, type Incoming, refusedForItem, refuseForeign, type Verdict } from './incoming.ts';
import { type DeviceClock, findEntitled, findHolders, findItems, type Holder } from './queries.ts';

/** What a phone brings at once. */
export type Upload = { caller: Caller; batch: Batch; deviceId: string; receivedAt: Date };

/**
 * Gives fresh events their effective time in the order of the device, whichever comes first, and tells where its clock stands then. An
 * event numbered below one that was here before happened before it: it is not lifted above the last time, but kept below.
 */
export function giveTimes(fresh: readonly Incoming[], last: DeviceClock, upload: Upload): DeviceClock {
  const sentAtClient = Date.parse(upload.batch.sentAtClient);
  const timeOf = (said: Said, previousUs: number | null): number =>
    effectiveAtUs({
      receivedAt: upload.receivedAt.getTime(),
      sentAtClient,
      occurredAtClient: Date.parse(said.occurredAtClient),
      lastServerTime: said.lastServerTime ? Date.parse(said.lastServerTime) : null,
      previousUs,
    });
  const readable = fresh.flatMap((one) => {
    const said = one.event ?? one.field;
    return said ? [{ one, said }] : [];
  });
  readable.sort((a, b) => a.said.deviceSeq - b.said.deviceSeq);
  const isOvertaken = ({ said }: { said: Said }): boolean => last.seq !== null && said.deviceSeq < last.seq;
  let below = last.us ?? Number.POSITIVE_INFINITY;
  for (const { one, said } of readable.filter(isOvertaken).reverse()) {
    one.effectiveUs = Math.min(timeOf(said, null), below - 1);
    below = one.effectiveUs;
  }
  let { us, seq } = last;
  for (const { one, said } of readable.filter((each) => !isOvertaken(each))) {
    one.effectiveUs = timeOf(said, us);
    us = one.effectiveUs;
    seq = said.deviceSeq;
  }
  return { us, seq };
}

type Said = Pick<StockEvent, 'deviceSeq' | 'occurredAtClient' | 'lastServerTime'>;

type Holders = readonly (Holder & { deviceId: string })[];

/** Who held the devices that send for themselves. */
export async function holdersOf(tx: Db, uploads: readonly Upload[]): Promise<Holders> {
  const own = uploads.flatMap(({ caller, deviceId }) => (caller.deviceId === deviceId ? [deviceId] : []));
  return own.length > 0 ? findHolders(tx, own) : [];
}

/** The author is whoever held the device then, by the server's own record; without one, the person signed in. */
export function attribute(parts: readonly { upload: Upload; fresh: readonly Incoming[] }[], holders: Holders): void {
  for (const { upload, fresh } of parts) {
    const ofDevice = holders.filter(({ deviceId }) => deviceId === upload.deviceId);
    for (const one of fresh) {
      one.author =
        ofDevice.find((h) => h.fromUs <= one.effectiveUs && (h.toUs ?? Infinity) > one.effectiveUs) ??
        signedIn(upload.caller);
      refuseForeign(one);
    }
  }
}

const signedIn = (caller: Caller): Holder => ({
  userId: caller.userId,
  role: caller.role,
  route: caller.routeDesignation,
  isActive: caller.isActive,
  fromUs: 0,
  toUs: null,
});

/** Known events too: an answer that got lost is given again with all it said. */
export async function learnItems(tx: Db, incoming: readonly Incoming[]): Promise<void> {
  const events = incoming.flatMap(({ event }) => event ?? []);
  if (events.length === 0) return;
  const items = await findItems(
    tx,
    events.map(({ itemType, itemId }) => ({ itemType, itemId })),
  );
  const facts = new Map(items.map((item) => [`${item.itemType}:${item.itemId}`, item]));
  for (const one of incoming) {
    if (one.event) one.item = facts.get(`${one.event.itemType}:${one.event.itemId}`) ?? null;
  }
}

export async function judge(tx: Db, fresh: readonly Incoming[], timeZone: string): Promise<void> {
  const open = fresh.filter((one) => one.event && !one.verdict);
  if (open.length === 0) return;
  const [entitled, mayCount] = await together([
    findEntitled(tx, open.flatMap(questionOf), timeZone),
    countersAmong(
      tx,
      open.flatMap(({ author }) => author?.userId ?? []),
    ),
  ]);
  for (const one of open) one.verdict = refusedByAccess(one, mayCount) ?? verdictOf(one, entitled);
}

type MayCount = Awaited<ReturnType<typeof countersAmong>>;

/** Made after the application was closed to its author: a person decides, as nothing is dropped. */
function refusedByAccess({ author, effectiveUs }: Incoming, mayCount: MayCount): Verdict | null {
  if (author?.role !== 'field_worker') return null;
  const person = { userId: author.userId, role: 'field_worker', routeDesignation: author.route } as const;
  if (mayCount(person, new Date(effectiveUs / 1000))) return null;
  return {
    status: 'needs_review',
    reason: 'Your access to Mobile Inventory had ended. A manager will look at this change.',
  };
}

function questionOf({ eventId, item, author, effectiveUs }: Incoming) {
  if (!item || author?.role !== 'field_worker') return [];
  const { locationKind: kind, locationId } = item;
  return [{ eventId, userId: author.userId, kind, locationId, effectiveAtUs: effectiveUs }];
}

function verdictOf(one: Incoming, entitled: Set<string>): Verdict | null {
  const { item } = one;
  if (item && one.author && !one.author.isActive) {
    return { status: 'needs_review', reason: 'Your account was deactivated. A manager will look at this change.' };
  }
  if (item && one.author?.role === 'field_worker' && !entitled.has(one.eventId)) {
    return { status: 'rejected', reason: 'This location was not on your route at that time. Tell your route manager.' };
  }
  return refusedForItem(one, item);
}
