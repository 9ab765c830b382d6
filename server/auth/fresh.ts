import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { sessionStart } from './sessions.ts';

/** How somebody signs in and what they may do is changed this long after signing in; later one signs in again. */
const freshMs = 15 * 60_000;

type Now = Pick<Deps, 'db' | 'clock'>;

export async function isFresh({ db, clock }: Now, { sid }: Caller): Promise<boolean> {
  const start = sid ? await sessionStart(db, sid) : null;
  return start !== null && clock.now().getTime() - start.getTime() <= freshMs;
}

/** Refuses who signed in long ago: whoever finds an open screen must not be able to change how anybody signs in. */
export async function requireFresh(deps: Now, caller: Caller): Promise<void> {
  if (await isFresh(deps, caller)) return;
  throw new AppError('sign-in-again', 'Sign in again first: this can be changed for 15 minutes after signing in.');
}
