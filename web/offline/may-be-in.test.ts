// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { mayBeIn, noteIn } from './may-be-in.ts';

const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } };

afterEach(() => vi.restoreAllMocks());

test.each([
  ['https://milkrun.example/', true],
  ['http://localhost:3000/', false],
])('at %s what is noted is kept to TLS: %s', (address, isSealed) => {
  happyDOM.setURL(address);
  // The files that a worker runs share one document.
  // biome-ignore lint/suspicious/noDocumentCookie: as the code under test writes it
  document.cookie = 'milkrun_in=; path=/; max-age=0';
  const written = vi.spyOn(document, 'cookie', 'set');
  noteIn(true);
  noteIn(false);
  expect(mayBeIn()).toBe(false);
  expect(written.mock.calls.map(([cookie]) => /; secure$/.test(cookie))).toEqual([isSealed, isSealed]);
});
