import { noteKeptClock } from '../http/clock.ts';
import { refreshDayWork } from './day/day-work.ts';
import { refreshIncidentNames } from './day/incident-names.ts';
import { refreshPickLists } from './day/pick-lists.ts';
import { deviceId, getMeta } from './device.ts';
import type { OfflineEnvironment } from './environment.ts';
import { refreshNotices } from './kept/notices.ts';
import { type RefreshResult, refreshReplica } from './kept/replica.ts';
import { latest } from './latest.ts';
import { OnlineState } from './online.ts';
import { drainOnce } from './outbox/drain.ts';
import type { Pass } from './outbox/drain-pass.ts';
import { listUnsent } from './outbox/outbox.ts';
import { roomyStore } from './outbox/room.ts';
import { Sender } from './outbox/sender.ts';
import { ChangeSignal } from './outbox/signal.ts';
import { countDrafts, countStored, type OfflineStatus, StatusBoard } from './outbox/status.ts';
import { openStore, type Store } from './outbox/store.ts';
import { openOwn } from './seal/unsealing.ts';

/** The offline core: one object, made once and handed down. */
export type Offline = {
  environment: OfflineEnvironment;
  store: Store;
  signal: ChangeSignal;
  online: OnlineState;
  status: StatusBoard;
  sender: Sender;
  /** Brings the downloaded copy up to date. A call while one runs joins it. */
  refresh: () => Promise<void>;
  /** Listens to the browser and sends what is waiting; returns how to stop. */
  start: () => () => void;
};

/** How long to wait before asking again whether an unreachable server is back, while the page is looked at. */
const askAgainMs = 60_000;

export function createOffline(environment: OfflineEnvironment, opened?: Store): Offline {
  const status = new StatusBoard();
  const online = new OnlineState(environment.isConnected());
  const signal = new ChangeSignal(environment.announce);
  const store = roomyStore(opened ?? openStore(environment.databaseName), {
    dropCaches: environment.dropCaches,
    onFull: (notSaved) => status.set({ notSaved, refusedWrites: status.get().refusedWrites + Number(notSaved) }),
  });
  const core = { environment, store, signal, online, status };
  const sender = createSender(core);
  const refresh = joined(() => refreshOnce(core, sender));
  return { ...core, sender, refresh, start: () => start(core, sender, refresh) };
}

type Core = Pick<Offline, 'environment' | 'store' | 'signal' | 'online' | 'status'>;

function createSender(core: Core): Sender {
  const { environment, store, status, signal, online } = core;
  const suspects = new Set<number>();
  const drain = async (): Promise<Pass> => {
    const session = await store.read(['meta'], (tx) => getMeta(tx, 'session'));
    return drainOnce({
      store,
      environment,
      deviceId: await deviceId(store, environment),
      userId: session?.person.id ?? null,
      suspects,
      onSending: (ids) => {
        status.set({ sending: new Set(ids) });
        signal.changed(['outbox']);
      },
      onReached: (reached) => online.setReached(reached),
    });
  };
  return new Sender({
    environment,
    drain,
    hasWork: () => hasWork(store),
    onPass: (pass) => {
      status.set({ sending: new Set(), signInNeeded: pass?.verdict === 'sign-in' });
      signal.changed();
    },
  });
}

/** Events of anybody, and the photos of the person signed in. */
async function hasWork(store: Store): Promise<boolean> {
  if ((await listUnsent(store, 0, 1)).length > 0) return true;
  return store.read(['meta', 'photos'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return false;
    return (await tx.objectStore('photos').getAll()).some(
      (photo) => photo.userId === session.person.id && photo.uploadedAt === null && !photo.refusal && !photo.sealedWith,
    );
  });
}

function joined(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}

async function refreshOnce(core: Core, sender: Sender): Promise<void> {
  const { environment, store, status, signal, online } = core;
  const session = await store.read(['meta'], (tx) => getMeta(tx, 'session'));
  if (!session) return;
  const { download: before, signInNeeded: wasNeeded } = status.get();
  // A phone that holds as much as it can stays at that: only what was never whole is being downloaded.
  if (before !== 'complete' && before !== 'partial') status.set({ download: 'running' });
  const userId = session.person.id;
  const result = await refreshReplica({ store, environment, userId, onPage: () => signal.changed() }).catch(
    // A full or closed store: the outbox matters more, and the next refresh goes on from the last whole page.
    () => 'failed' as const,
  );
  if (result !== 'failed') online.setReached(result !== 'unreachable');
  // What became of earlier changes is told as soon as can be; without it nothing is lost.
  if (result === 'complete' || result === 'partial')
    await refreshNotices({ store, environment }).catch(() => undefined);
  if (result === 'complete' && session.person.role === 'field_worker') {
    // What to bring is a help; the copy of the stock is whole without it.
    await refreshPickLists({ store, environment }).catch(() => undefined);
    await refreshDayWork({ store, environment }).catch(() => undefined);
    await refreshIncidentNames({ store, environment }).catch(() => undefined);
  }
  // Tried at sign-in first; without an answer then, the next refresh asks again.
  if (result !== 'unreachable') await openOwn(core, userId).catch(() => undefined);
  // A pass that was refused meanwhile knows better than pages that were answered before.
  const isRefusedSince = !wasNeeded && status.get().signInNeeded;
  status.set({ signInNeeded: result === 'sign-in' || isRefusedSince, download: afterRefresh(before, result) });
  signal.changed();
  if (result === 'complete' || result === 'partial') sender.kick('timer');
}

function afterRefresh(before: OfflineStatus['download'], result: RefreshResult): OfflineStatus['download'] {
  if (result === 'complete' || result === 'partial') return result;
  return before === 'complete' || before === 'partial' ? before : 'failed';
}

function start(core: Core, sender: Sender, refresh: () => Promise<void>): () => void {
  const { environment, signal, status, online } = core;
  const recount = recounter(core);
  const stops = [
    signal.subscribe(recount),
    online.subscribe(() => status.set({ online: online.isOnline() })),
    environment.onAnnounced(() => signal.heard()),
    environment.listen({
      online: () => {
        online.setConnected(true);
        sender.kick('online');
        void refresh();
      },
      offline: () => online.setConnected(false),
      visible: () => sender.kick('visible'),
    }),
    askWhileUnreachable(core, refresh),
    () => sender.stop(),
  ];
  status.set({ online: online.isOnline() });
  recount();
  sender.kick('visible');
  return () => {
    for (const stop of stops) stop();
  };
}

/** Counts again what changed: after a tap on a count the drafts alone. */
function recounter({ environment, store, signal, status }: Core): () => void {
  let counted = { drafts: -1, others: -1 };
  return latest(async () => {
    const now = { drafts: signal.revision(['drafts']), others: signal.revision(['outbox', 'download']) };
    if (now.others !== counted.others) {
      const { isDownloaded, ...counts } = await countStored(store, environment.now());
      noteKeptClock(counts.clockAheadMs);
      const download = status.get().download;
      status.set(isDownloaded && download !== 'partial' ? { ...counts, download: 'complete' } : counts);
    } else if (now.drafts !== counted.drafts) {
      status.set({ drafts: await countDrafts(store, status.get().userId) });
    }
    counted = now;
  });
}

/** An Offline badge must not outlive the outage: without unsent changes nothing else would notice the server's return. */
function askWhileUnreachable(core: Core, refresh: () => Promise<void>): () => void {
  const { environment, online } = core;
  let cancel = () => {};
  const plan = () => {
    cancel();
    if (online.isOnline() || !environment.isConnected()) return;
    cancel = environment.after(askAgainMs, () => {
      if (!environment.isVisible()) return plan();
      void refresh().then(plan);
    });
  };
  const unsubscribe = online.subscribe(plan);
  return () => {
    unsubscribe();
    cancel();
  };
}
