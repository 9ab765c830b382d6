import { afterEach, expect, test, vi } from 'vitest';
import { getSession } from '../../../contract/auth.ts';
import { isStillSignedIn, signingIn } from './signing-in.ts';

afterEach(() => vi.unstubAllGlobals());

/** A server that knows the old session no more, and the new one once the answer to the sign-in is here. */
function serve() {
  const asked: string[] = [];
  let knows = false;
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return knows ? Response.json({}) : Response.json({ detail: 'You are not signed in.' }, { status: 401 });
  });
  let resolve: (text: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const answer = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return {
    asked,
    answer,
    letIn: () => {
      knows = true;
      resolve('in');
    },
    refuse: () => reject(new Error('wrong code')),
  };
}

test('whether the session lives is asked only once a sign-in under way is answered', async () => {
  const { asked, answer, letIn } = serve();
  const entered = signingIn(() => answer);
  const lives = isStillSignedIn();
  await Promise.resolve();
  expect(asked).toEqual([]);
  letIn();
  expect([await entered, await lives]).toEqual(['in', true]);
  expect(asked).toEqual([getSession.path]);
});

test('a sign-in that fails holds nobody: a session that ended has ended', async () => {
  const { answer, refuse } = serve();
  const entered = signingIn(() => answer);
  const lives = isStillSignedIn();
  refuse();
  await expect(entered).rejects.toThrow('wrong code');
  expect(await lives).toBe(false);
});

test('without an answer the session may well live', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await isStillSignedIn()).toBe(true);
});
