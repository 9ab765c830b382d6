import type { RandomBytes } from './uuid.ts';

/** One call to the server. The transport never throws: what can happen is in the answer. */
export type Call = { method: 'GET' | 'POST' | 'PATCH' | 'PUT'; path: string; body?: unknown };

export type Answer =
  | { outcome: 'answered'; body: unknown }
  | {
      outcome: 'refused';
      status: number;
      /** The server's sentence. */
      detail: string;
      /** False when the body is not the server's own problem document: some box in between spoke. */
      isProblem: boolean;
      retryAfterMs: number | null;
    }
  | { outcome: 'unreachable' };

export type Transport = (call: Call) => Promise<Answer>;

/** Everything the offline core needs of a browser, handed in. */
export type OfflineEnvironment = {
  databaseName: string;
  transport: Transport;
  now: () => number;
  /** 0 to below 1. */
  random: () => number;
  randomBytes: RandomBytes;
  /** Runs once after the time; returns how to cancel. */
  after: (ms: number, run: () => void) => () => void;
  isVisible: () => boolean;
  /** What the browser says about the network; it may be wrong both ways. */
  isConnected: () => boolean;
  /** Calls back on `online`, `offline` and when the page becomes visible; returns how to stop. */
  listen: (on: { online: () => void; offline: () => void; visible: () => void }) => () => void;
  /** One sender among tabs where the browser has locks: null means another holds it. Correctness does not need it. */
  withLock: <T>(name: string, run: () => Promise<T>) => Promise<T | null>;
  /** Tells other tabs that the stored data changed, and hears them. */
  announce: () => void;
  onAnnounced: (heard: () => void) => () => void;
  askPersist: () => Promise<boolean>;
  /** Deletes what can be had again: the cached map tiles. */
  dropCaches: () => Promise<void>;
  /** Asks for a Background Sync event, where the browser has one. */
  requestWake: () => Promise<void>;
};
