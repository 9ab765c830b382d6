import type { Session } from '../../contract/auth.ts';
import { dayIn } from '../../domain/time.ts';
import { deviceId, getMeta, putMeta } from './device.ts';
import { wipeReplica } from './kept/replica.ts';
import { noteIn } from './may-be-in.ts';
import type { Offline } from './offline.ts';
import { tableNames } from './outbox/records.ts';
import type { WriteTx } from './outbox/store.ts';
import { sealLeft } from './seal/sealing.ts';
import { openOwn } from './seal/unsealing.ts';

const everything = [...tableNames, 'meta', 'answers'] as const;

/**
 * Keeps who is signed in, so that the app opens without a network. Another person than before finds nothing of the
 * other's downloaded data; both keep their own unsent changes and drafts.
 */
export async function rememberSession(offline: Offline, session: Session): Promise<void> {
  noteIn(true);
  await seal(offline, session, session.person.id);
  await offline.store.write([...everything], async (tx) => {
    const before = await getMeta(tx, 'session');
    const download = await getMeta(tx, 'download');
    const owner = before?.person.id ?? download?.userId;
    if (owner !== undefined && owner !== session.person.id) await wipeReplica(tx);
    await putMeta(tx, { key: 'session', value: session });
  });
  offline.status.set({ userId: session.person.id, signInNeeded: false });
  offline.signal.changed();
  void openLeft(offline, session.person.id);
  void askToPersist(offline);
  offline.sender.kick('person');
}

/** Behind the first screen: a slow network keeps nobody waiting for what they left sealed. */
async function openLeft(offline: Offline, userId: number): Promise<void> {
  await openOwn(offline, userId).catch(() => undefined);
  offline.signal.changed();
}

export async function recallSession(offline: Offline): Promise<Session | null> {
  return (await offline.store.read(['meta'], (tx) => getMeta(tx, 'session'))) ?? null;
}

/**
 * Sign-out: everything downloaded goes, and what the server has already; unsent changes and drafts stay and are still
 * delivered, and what needs its person stays for them, all of it sealed. `isTold`: the server has ended the session too.
 */
export async function forgetSession(offline: Offline, { isTold }: { isTold: boolean }): Promise<void> {
  noteIn(false);
  await seal(offline, await recallSession(offline), null);
  await offline.store.write([...everything, 'outbox', 'photos'], async (tx) => {
    await wipeReplica(tx);
    await dropDelivered(tx);
    await tx.objectStore('meta').delete('session');
    const since = new Date(offline.environment.now()).toISOString();
    if (!isTold) await putMeta(tx, { key: 'signOutDue', value: { since } });
  });
  offline.status.set({ userId: null, download: 'none' });
  offline.signal.changed();
}

/** A phone too full to seal still signs out, and still delivers: the work is not lost for the sake of its wrapping. */
async function seal(offline: Offline, session: Session | null, signedIn: number | null): Promise<void> {
  await sealLeft(offline, session?.phoneSeal, signedIn).catch(() => undefined);
}

/** Somebody signed out without a network: the session must not open for the next person who has one. */
export async function isSignOutDue(offline: Offline): Promise<boolean> {
  return (await offline.store.read(['meta'], (tx) => getMeta(tx, 'signOutDue'))) !== undefined;
}

/** The server has ended that session, or another has begun on this phone. */
export async function noteSignOutTold(offline: Offline): Promise<void> {
  await offline.store.write(['meta'], (tx) => tx.objectStore('meta').delete('signOutDue'));
}

/** Entries and photos that the server has: on a shared phone they are nobody else's to see. */
async function dropDelivered(tx: WriteTx): Promise<void> {
  const outbox = tx.objectStore('outbox');
  for (const status of ['saved', 'superseded'] as const) {
    const range = IDBKeyRange.bound([status, 0], [status, Number.MAX_SAFE_INTEGER]);
    for (const { seq } of await outbox.index('byStatus').getAll(range)) await outbox.delete(seq);
  }
  const photos = tx.objectStore('photos');
  for (const photo of await photos.getAll()) if (photo.uploadedAt !== null) await photos.delete(photo.id);
}

/** The operator's calendar day of an instant of this phone's clock, set right by what was learned of the server's. */
export async function operatorDay(offline: Offline, phoneMs: number): Promise<string | null> {
  const { session, contact } = await offline.store.read(['meta'], async (tx) => ({
    session: await getMeta(tx, 'session'),
    contact: await getMeta(tx, 'contact'),
  }));
  return session ? dayIn(session.operator.timeZone, new Date(phoneMs + (contact?.clockOffsetMs ?? 0))) : null;
}

/** The name of this phone for the server's device credential. */
export async function deviceIdOf(offline: Offline): Promise<string> {
  return deviceId(offline.store, offline.environment);
}

/** Asks once per phone for storage that the browser does not clear by itself; many browsers say no, so nothing relies on it. */
async function askToPersist(offline: Offline): Promise<void> {
  const asked = await offline.store.read(['meta'], (tx) => getMeta(tx, 'persist'));
  if (asked?.granted) return;
  const granted = await offline.environment.askPersist();
  const askedAt = new Date(offline.environment.now()).toISOString();
  await offline.store.write(['meta'], (tx) => putMeta(tx, { key: 'persist', value: { askedAt, granted } }));
}
