import { parentPort } from 'node:worker_threads';
import {
  type InitialRoute,
  InvalidProblem,
  Member,
  type Share,
  type SolveOptions,
  solve,
} from '../../optimizer/index.ts';
import { stepBack } from '../step-back.ts';
import { fromParcel, type Parcel } from './parcel.ts';

/** What the pool may ask of a thread, one at a time. Several workers on one problem each get a `join` first. */
export type Request =
  | ({ kind: 'solve'; parcel: Parcel } & Pick<SolveOptions, 'timeLimitMs' | 'iterations' | 'seed' | 'initial'>)
  | { kind: 'join'; parcel: Parcel }
  | { kind: 'first'; seed?: number; initial?: readonly InitialRoute[] }
  | { kind: 'improve'; share: Share; timeLimitMs: number }
  | { kind: 'finish'; routes: readonly InitialRoute[]; timeLimitMs: number; iterations: number }
  | { kind: 'leave' };

/** `cancelled`: one shared integer; not 0 means stop and give the best so far. */
export type Letter = { request: Request; cancelled: SharedArrayBuffer };

let member: Member | null = null;

function joined(): Member {
  if (!member) throw new Error('no problem was joined');
  return member;
}

function answer(request: Request, isCancelled: () => boolean): unknown {
  const clock = { now: () => performance.now(), cancelled: isCancelled };
  switch (request.kind) {
    case 'solve': {
      const { timeLimitMs, iterations, seed, initial } = request;
      const onProgress = (progress: unknown) => parentPort?.postMessage({ progress });
      return solve(fromParcel(request.parcel), { ...clock, timeLimitMs, iterations, seed, initial, onProgress });
    }
    case 'join':
      member = new Member(fromParcel(request.parcel));
      return null;
    case 'first':
      return joined().first(request);
    case 'improve':
      return joined().improve(request.share, { ...clock, timeLimitMs: request.timeLimitMs });
    case 'finish':
      return joined().finish(request.routes, { ...clock, timeLimitMs: request.timeLimitMs, done: request.iterations });
    case 'leave':
      member = null;
      return null;
  }
}

stepBack();
parentPort?.on('message', ({ request, cancelled }: Letter) => {
  const flag = new Int32Array(cancelled);
  try {
    parentPort?.postMessage({ answer: answer(request, () => Atomics.load(flag, 0) !== 0) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ refused: text, isInvalid: error instanceof InvalidProblem });
  }
});
