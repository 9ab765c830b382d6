import 'fake-indexeddb/auto';
import { cleanup, configure } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import type { Window } from 'happy-dom';
import { afterAll, vi } from 'vitest';

// A query that waits ends as soon as it finds; on a busy machine one second is not enough for a whole screen.
configure({ asyncUtilTimeout: 30_000 });

// Files of tests share one window and the libraries, which take longer to load than the tests to run. Everything else
// begins anew with each file: what our own modules remember, what a phone keeps, and the address.
vi.resetModules();
globalThis.indexedDB = new IDBFactory();
(window as unknown as Window).happyDOM.setURL('http://localhost:3000/');

// Today's browsers answer a scroll with a promise, and an effect that hands it on makes React call it as its clean-up.
const scrolled = async (): Promise<void> => undefined;
Element.prototype.scrollIntoView = scrolled;
window.scrollTo = scrolled;

afterAll(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});
