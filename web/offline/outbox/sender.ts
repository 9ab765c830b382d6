import type { OfflineEnvironment } from '../environment.ts';
import type { Pass, Verdict } from './drain-pass.ts';

/** What made the sender move. `save` and `timer` wait out a pause; a person or a new network does not. */
type Trigger = 'save' | 'timer' | 'tick' | 'online' | 'visible' | 'person';

const firstDelayMs = 2_000;
const longestDelayMs = 5 * 60_000;
/** While the page is looked at and something is unsent. */
const tickMs = 60_000;

type SenderDeps = {
  environment: Pick<OfflineEnvironment, 'now' | 'random' | 'after' | 'isVisible' | 'withLock' | 'requestWake'>;
  drain: () => Promise<Pass>;
  /** Whether anything waits that a pass could send. */
  hasWork: () => Promise<boolean>;
  onPass: (pass: Pass | null) => void;
};

/** When to send: at once on a trigger, and after a failure again and again with growing pauses, without ever giving up. */
export class Sender {
  private readonly deps: SenderDeps;
  private running: Promise<Verdict | 'busy'> | null = null;
  private following: Promise<Verdict | 'busy'> | null = null;
  private failures = 0;
  /** The server asked not to be called before this. */
  private notBeforeMs = 0;
  private pausedUntilMs = 0;
  private lastPassMs = 0;
  private cancelTimer: (() => void) | null = null;
  private stopped = false;

  constructor(deps: SenderDeps) {
    this.deps = deps;
  }

  isSending = (): boolean => this.running !== null;

  /** Sends soon; never throws. */
  kick(trigger: Trigger): void {
    const nowMs = this.deps.environment.now();
    // The clock was set back since: a pause by the clock of before could last for days.
    if (nowMs < this.lastPassMs) this.forgetPauses();
    const patient = trigger === 'save' || trigger === 'timer';
    const waitMs = Math.max(this.notBeforeMs, patient ? this.pausedUntilMs : 0) - nowMs;
    if (waitMs > 0 && trigger !== 'person') {
      this.schedule(waitMs, 'timer');
      return;
    }
    if (trigger === 'online' || trigger === 'person') this.failures = 0;
    this.flush();
  }

  /** Sends now and tells how it went. A pass already under way is followed by another: it may have missed the last save. */
  flush(): Promise<Verdict | 'busy'> {
    if (this.running) {
      this.following ??= this.running.then(() => {
        this.following = null;
        return this.flush();
      });
      return this.following;
    }
    this.running = this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private forgetPauses(): void {
    this.notBeforeMs = 0;
    this.pausedUntilMs = 0;
  }

  stop(): void {
    this.stopped = true;
    this.cancelTimer?.();
  }

  private async run(): Promise<Verdict | 'busy'> {
    const verdict = await this.runOnce();
    if (verdict !== 'done' && !this.stopped) await this.plan(verdict);
    return verdict;
  }

  private async runOnce(): Promise<Verdict | 'busy'> {
    const pass = await this.pass();
    this.deps.onPass(pass);
    if (!pass) return 'busy';
    if (pass.verdict === 'done') {
      this.failures = 0;
      this.pausedUntilMs = 0;
      return 'done';
    }
    const nowMs = this.deps.environment.now();
    this.lastPassMs = nowMs;
    this.notBeforeMs = nowMs + (pass.retryAfterMs ?? 0);
    // Where a photo alone waits for its person, the device may still append: a save goes at once.
    this.pausedUntilMs = pass.verdict === 'sign-in' ? 0 : nowMs + this.nextDelayMs();
    return pass.verdict;
  }

  /** A store that fails (no room, closed) is one more reason to try again later; what is on the disk stays there. */
  private async pass(): Promise<Pass | null> {
    try {
      return await this.deps.environment.withLock('milkrun-outbox', this.deps.drain);
    } catch {
      return { verdict: 'waiting', retryAfterMs: null };
    }
  }

  /** Full jitter: anywhere between now and the doubled pause, so that phones do not return in step. */
  private nextDelayMs(): number {
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(this.failures, 20));
    this.failures += 1;
    return this.deps.environment.random() * ceiling;
  }

  private async plan(verdict: Verdict | 'busy'): Promise<void> {
    const { environment } = this.deps;
    if (!(await this.deps.hasWork().catch(() => true))) return;
    // Time alone signs nobody in, nor does the browser's waking: a sign-in, a save or a look at the page tries at once.
    if (verdict === 'sign-in') return this.schedule(longestDelayMs, 'timer');
    await environment.requestWake().catch(() => undefined);
    const nowMs = environment.now();
    const waitMs = verdict === 'busy' ? tickMs / 12 : Math.max(this.pausedUntilMs, this.notBeforeMs) - nowMs;
    if (environment.isVisible() && waitMs > tickMs) this.schedule(tickMs, 'tick');
    if (!environment.isVisible() || waitMs <= tickMs) this.schedule(Math.max(0, waitMs), 'timer');
  }

  private schedule(ms: number, trigger: Trigger): void {
    this.cancelTimer?.();
    if (this.stopped) return;
    this.cancelTimer = this.deps.environment.after(ms, () => {
      this.cancelTimer = null;
      this.kick(trigger);
    });
  }
}
