import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { SolveProgress } from '../../optimizer/index.ts';
import type { Letter } from './worker.ts';

type Answer = { answer: unknown } | { refused: string; isInvalid: boolean } | { progress: SolveProgress };
type Asked = {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  onProgress: ((progress: SolveProgress) => void) | undefined;
};
type Log = Pick<FastifyBaseLogger, 'error'>;
export type Thread = { readonly worker: Worker; isTaken: boolean; asked: Asked | null };

/** Waiting tasks beyond this are refused: a plan that comes minutes late helps nobody. */
const maxWaiting = 20;
/** More would take the processors that answer requests. */
const mostThreads = 2;

/** The solver's threads: started on first use, lent to one task at a time, replaced when they die. */
export class SolverCrew {
  private readonly threads: Thread[] = [];
  private readonly waiting: ((thread: Thread) => void)[] = [];
  private readonly size: number;
  private readonly log: Log;
  private readonly workerUrl: URL;

  constructor(log: Log, workerUrl: URL, size = Math.min(mostThreads, Math.max(1, availableParallelism()))) {
    this.log = log;
    this.workerUrl = workerUrl;
    this.size = size;
  }

  private start(): Thread {
    const thread: Thread = { worker: new Worker(this.workerUrl), isTaken: false, asked: null };
    thread.worker.unref();
    thread.worker.on('message', (message: Answer) => this.settle(thread, message));
    thread.worker.on('error', (error) => this.lose(thread, error));
    thread.worker.on('exit', () => this.lose(thread, new Error('the solver thread ended')));
    this.threads.push(thread);
    return thread;
  }

  private settle(thread: Thread, message: Answer): void {
    const asked = thread.asked;
    if ('progress' in message) {
      asked?.onProgress?.(message.progress);
      return;
    }
    thread.asked = null;
    if ('answer' in message) asked?.resolve(message.answer);
    else if (message.isInvalid) asked?.reject(new AppError('invalid-input', message.refused));
    else asked?.reject(this.failed(new Error(message.refused)));
  }

  private failed(error: Error): AppError {
    this.log.error({ err: error }, 'solver thread');
    return new AppError('internal', 'The order could not be computed. Try again.');
  }

  private lose(thread: Thread, error: Error): void {
    const at = this.threads.indexOf(thread);
    if (at >= 0) this.threads.splice(at, 1);
    const asked = thread.asked;
    thread.asked = null;
    asked?.reject(this.failed(error));
    this.serve();
  }

  /** Asks a thread that was taken, one question at a time. */
  ask<T>(thread: Thread, letter: Letter, onProgress?: (progress: SolveProgress) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.threads.includes(thread)) {
        reject(this.failed(new Error('the solver thread is gone')));
        return;
      }
      thread.asked = { resolve: (answer) => resolve(answer as T), reject, onProgress };
      thread.worker.postMessage(letter);
    });
  }

  /** A thread that has nothing to do, if there is one or may be one more. */
  takeFree(): Thread | undefined {
    const idle = this.threads.find((thread) => !thread.isTaken);
    const free = idle ?? (this.threads.length < this.size ? this.start() : undefined);
    if (free) free.isTaken = true;
    return free;
  }

  /** The next free thread. @throws AppError when too many tasks wait already */
  take(): Promise<Thread> {
    if (this.waiting.length >= maxWaiting) {
      throw new AppError('unavailable', 'Many routes are being optimized. Try again in a moment.', {
        retryAfterSeconds: 3,
      });
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.serve();
    });
  }

  give(thread: Thread): void {
    thread.isTaken = false;
    this.serve();
  }

  private serve(): void {
    while (this.waiting.length > 0) {
      const thread = this.takeFree();
      if (!thread) return;
      this.waiting.shift()?.(thread);
    }
  }

  isAlive(thread: Thread): boolean {
    return this.threads.includes(thread);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.splice(0).map((thread) => thread.worker.terminate()));
  }
}
