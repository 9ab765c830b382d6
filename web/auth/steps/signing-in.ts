import { getSession } from '../../../contract/auth.ts';
import { load } from '../../http/client.ts';
import { noteIn } from '../../offline/may-be-in.ts';

const lock = 'milkrun-sign-in';
let latest: Promise<unknown> = Promise.resolve();

/**
 * Sends what signs somebody in. The server ends the browser's session before its answer brings the next one, so until
 * then a refusal in this tab or another says nothing.
 */
export function signingIn<T>(send: () => Promise<T>): Promise<T> {
  const sent = navigator.locks ? navigator.locks.request(lock, send) : send();
  latest = sent.then(
    () => noteIn(true),
    () => undefined,
  );
  return sent as Promise<T>;
}

const settled = async (): Promise<void> => {
  await latest;
  await navigator.locks?.request(lock, { mode: 'shared' }, () => undefined);
};

/** False only when the server says so, asked after any sign-in under way; without an answer it may well be. */
export async function isStillSignedIn(): Promise<boolean> {
  await settled();
  return load(getSession.path, { on401: 'null' }).then(
    (session) => session !== null,
    () => true,
  );
}
