import type { Product } from '../../../contract/products.ts';
import { normalBarcode } from '../../../domain/product.ts';
import { waitingPrefix } from '../../offline/kept/replica.ts';
import type { Offline } from '../../offline/offline.ts';
import type { KeptAnswer } from '../../offline/outbox/records.ts';

/**
 * Barcodes that a person gave to a product: sent at once where there is a network, else kept on the phone, past a
 * sign-out too, until the server has them. Adding a code that is there already changes nothing, so a lost answer does no harm.
 */
export type WaitingCode = {
  code: string;
  userId: number;
  /** Null for a product that is made with the code. */
  productId: number | null;
  productName: string;
  /** The server's sentence when it would not have it. */
  problem: string | null;
};

const keyOf = ({ userId, code }: Pick<WaitingCode, 'userId' | 'code'>): string => `${waitingPrefix}${userId}:${code}`;

/** Written by this file only. */
const waitingIn = (kept: KeptAnswer): WaitingCode => kept.value as WaitingCode;

/** Keeps a code until the server has it. */
export async function keepCode(offline: Offline, waiting: WaitingCode): Promise<void> {
  const keptAt = new Date(offline.environment.now()).toISOString();
  await offline.store.write(['answers'], (tx) =>
    tx.objectStore('answers').put({ key: keyOf(waiting), value: waiting, keptAt }),
  );
  offline.signal.changed(['download']);
}

export async function dropCode(offline: Offline, waiting: WaitingCode): Promise<void> {
  await offline.store.write(['answers'], (tx) => tx.objectStore('answers').delete(keyOf(waiting)));
  offline.signal.changed(['download']);
}

export async function listWaiting(offline: Offline, userId: number): Promise<WaitingCode[]> {
  const start = `${waitingPrefix}${userId}:`;
  const kept = await offline.store.read(['answers'], (tx) =>
    tx.objectStore('answers').getAll(IDBKeyRange.bound(start, `${start}\uffff`)),
  );
  return kept.map(waitingIn);
}

/** The product a code was given on this phone, before the server knows of it. */
export async function productOfWaiting(offline: Offline, userId: number, scanned: string): Promise<Product | null> {
  const wanted = normalBarcode(scanned);
  const found = (await listWaiting(offline, userId)).find(({ code }) => normalBarcode(code) === wanted);
  return found?.productId ? ((await productOf(offline, found.productId)) ?? null) : null;
}

function productOf(offline: Offline, id: number): Promise<Product | undefined> {
  return offline.store.read(['products'], async (tx) => (await tx.objectStore('products').get(id))?.row);
}

type Fate = { outcome: 'sent' } | { outcome: 'kept' } | { outcome: 'refused'; problem: string };

async function deliver(offline: Offline, { code, productId, productName }: WaitingCode): Promise<Fate> {
  const answer = await offline.environment.transport(
    productId === null
      ? { method: 'POST', path: '/api/products', body: { name: productName, barcodes: [code] } }
      : { method: 'POST', path: `/api/products/${productId}/barcodes`, body: { barcode: code } },
  );
  if (answer.outcome === 'answered') return { outcome: 'sent' };
  const isFinal = answer.outcome === 'refused' && answer.isProblem && answer.status < 500 && answer.status !== 401;
  if (!isFinal) return { outcome: 'kept' };
  if (productId === null && (await isMade(offline, { code, productName }))) return { outcome: 'sent' };
  return { outcome: 'refused', problem: answer.detail };
}

/** Whether the product is there with the code: an answer that was lost on the way leaves it unsaid, and a second try is refused. */
async function isMade(
  offline: Offline,
  { code, productName }: Pick<WaitingCode, 'code' | 'productName'>,
): Promise<boolean> {
  await offline.refresh();
  const kept = await offline.store.read(['products'], (tx) => tx.objectStore('products').getAll());
  const wanted = normalBarcode(code);
  return kept.some(
    ({ row }) => row.name === productName && row.barcodes.some((barcode) => normalBarcode(barcode) === wanted),
  );
}

/** Gives a code to a product: sent now, kept for later, or refused with the sentence to show. */
export async function giveCode(offline: Offline, given: Omit<WaitingCode, 'problem'>): Promise<Fate> {
  const waiting = { ...given, problem: null };
  const fate = await deliver(offline, waiting);
  if (fate.outcome === 'kept') return kept(offline, waiting);
  if (fate.outcome === 'sent') await offline.refresh();
  return fate;
}

async function kept(offline: Offline, waiting: WaitingCode): Promise<Fate> {
  try {
    await keepCode(offline, waiting);
    return { outcome: 'kept' };
  } catch {
    return { outcome: 'refused', problem: 'This device could not keep that. Free some space, then try again.' };
  }
}

/** What the server would not have is left to its person. */
const isUnsent = ({ problem }: WaitingCode): boolean => problem === null;

export async function hasUnsent(offline: Offline, userId: number): Promise<boolean> {
  return (await listWaiting(offline, userId)).some(isUnsent);
}

/** Sends what waits, also what was refused before: the catalogue may be another by now. */
export async function sendWaiting(offline: Offline, userId: number): Promise<void> {
  await sendEach(offline, await listWaiting(offline, userId));
}

export async function sendUnsent(offline: Offline, userId: number): Promise<void> {
  await sendEach(offline, (await listWaiting(offline, userId)).filter(isUnsent));
}

/** One after the other; what is refused stays with its sentence. */
async function sendEach(offline: Offline, codes: readonly WaitingCode[]): Promise<void> {
  let isAnySent = false;
  for (const waiting of codes) {
    const fate = await deliver(offline, waiting);
    if (fate.outcome === 'kept') break;
    if (fate.outcome === 'refused') await keepCode(offline, { ...waiting, problem: fate.problem });
    else {
      isAnySent = true;
      await dropCode(offline, waiting);
    }
  }
  if (isAnySent) await offline.refresh();
}
