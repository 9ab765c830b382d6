import type { Answer, OfflineEnvironment } from '../environment.ts';
import type { Store } from './store.ts';

export type Verdict =
  /** Everything that may be sent has its final answer. */
  | 'done'
  /** Something is left and worth another try later. */
  | 'waiting'
  | 'unreachable'
  | 'sign-in';

export type Pass = { verdict: Verdict; retryAfterMs: number | null };

export type DrainDeps = {
  store: Store;
  environment: Pick<OfflineEnvironment, 'transport' | 'now'>;
  deviceId: string;
  /** Whose photos may go: those of the person signed in. Events go whoever made them. */
  userId: number | null;
  /** Told the ids under way, and an empty list when they are back. */
  onSending: (ids: readonly string[]) => void;
  /** Told once the server has answered or could not be reached. */
  onReached: (reached: boolean) => void;
  /** Events that alone made the server fail; they go last, so that they hold nothing up. Lives as long as the page. */
  suspects: Set<number>;
};

export type Sent = { stopped: Pass | null; left: number };

/** Refusals that speak of what was sent; every other one concerns the whole queue and ends the pass. */
const aboutContent = {
  batch: new Set([400, 409, 413, 422, 500]),
  'one-object': new Set([400, 403, 404, 409, 413, 422, 500]),
} as const satisfies Record<string, ReadonlySet<number>>;

/** Whether an answer ends the pass: no server, nobody signed in, or a server that asks for patience. */
export function stopFor(answer: Answer, sent: keyof typeof aboutContent): Pass | null {
  if (answer.outcome === 'unreachable') return { verdict: 'unreachable', retryAfterMs: null };
  if (answer.outcome === 'answered') return null;
  if (answer.status === 401) return { verdict: 'sign-in', retryAfterMs: null };
  if (aboutContent[sent].has(answer.status)) return null;
  return { verdict: 'waiting', retryAfterMs: answer.retryAfterMs };
}
