import type { Session } from '../../../contract/auth.ts';
import type { OfflineEnvironment, Transport } from '../environment.ts';
import type { Store } from '../outbox/store.ts';
import { testServerKey } from './server-seal.ts';

/** A clock that stands still until told, with the timers that hang on it. */
export class FakeClock {
  nowMs = Date.parse('2026-03-02T05:00:00Z');
  private timers: { atMs: number; run: () => void }[] = [];

  now = (): number => this.nowMs;

  after = (ms: number, run: () => void): (() => void) => {
    const timer = { atMs: this.nowMs + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  };

  /** Jumps to the next timer and runs it; false when none is set. */
  runNext(): boolean {
    const next = this.timers.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!next) return false;
    this.timers = this.timers.filter((one) => one !== next);
    this.nowMs = Math.max(this.nowMs, next.atMs);
    next.run();
    return true;
  }

  /** A dead process takes its timers with it. */
  clear(): void {
    this.timers = [];
  }
}

export function fakeEnvironment(clock: FakeClock, transport: Transport, databaseName: string): OfflineEnvironment {
  let last = 1;
  const nextByte = () => {
    last = (last * 75 + 74) % 65_537;
    return last % 256;
  };
  return {
    databaseName,
    transport,
    now: clock.now,
    random: () => 0.5,
    randomBytes: (count) => Uint8Array.from({ length: count }, nextByte),
    after: clock.after,
    isVisible: () => true,
    isConnected: () => true,
    listen: () => () => {},
    withLock: (_name, run) => run(),
    announce: () => {},
    onAnnounced: () => () => {},
    askPersist: async () => false,
    dropCaches: async () => {},
    requestWake: async () => {},
  };
}

/** Waits until everything already begun has come to rest. */
export async function untilIdle(isBusy: () => boolean): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve));
  } while (isBusy());
}

/** A process that dies at its n-th step: nothing it awaits after that ever comes back. */
export class Fuse {
  private left: number;
  private burn = () => {};
  isBurnt = false;
  readonly died: Promise<'died'>;

  constructor(steps: number) {
    this.left = steps;
    this.died = new Promise((resolve) => {
      this.burn = () => {
        this.isBurnt = true;
        resolve('died');
      };
    });
  }

  /** From now on the process lives. */
  disarm(): void {
    this.left = Number.POSITIVE_INFINITY;
  }

  isDead = (): boolean => this.isBurnt;

  /** One step of the process; never resolves once it is dead. */
  async step(): Promise<void> {
    this.left -= 1;
    if (this.left > 0) return;
    this.burn();
    await new Promise(() => {});
  }
}

/** A store that counts its steps on the fuse: before a transaction, in the middle (it is rolled back) and after. */
export function fusedStore(store: Store, fuse: Fuse): Store {
  return {
    read: async (names, work) => {
      await fuse.step();
      const result = await store.read(names, work);
      await fuse.step();
      return result;
    },
    write: async (names, work) => {
      await fuse.step();
      const result = await dyingWrite(fuse, () =>
        store.write(names, async (tx) => {
          const value = await work(tx);
          if (isLastStep(fuse)) throw new Killed();
          return value;
        }),
      );
      await fuse.step();
      return result;
    },
    close: () => store.close(),
  };
}

class Killed extends Error {}

function isLastStep(fuse: Fuse): boolean {
  fuse.step().catch(() => undefined);
  return fuse.isDead();
}

async function dyingWrite<T>(fuse: Fuse, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Killed) await fuse.step();
    throw error;
  }
}

export function fusedTransport(transport: Transport, fuse: Fuse): Transport {
  return async (call) => {
    await fuse.step();
    const answer = await transport(call);
    await fuse.step();
    return answer;
  };
}

export function buildSession(id: number): Session {
  return {
    person: {
      id,
      email: `driver${id}@example.com`,
      firstName: 'Sam',
      lastName: `Number ${id}`,
      role: 'field_worker',
      roleLabel: 'Field Operator',
      routeDesignation: '101',
    },
    operator: {
      name: 'Test Operator',
      timeZone: 'America/New_York',
      currency: 'USD',
      distanceUnit: 'mi',
      today: '2026-03-02',
      isDemo: true,
    },
    map: { styleUrl: null },
    phoneSeal: testServerKey,
    expiresAt: '2026-04-02T05:00:00Z',
  };
}
