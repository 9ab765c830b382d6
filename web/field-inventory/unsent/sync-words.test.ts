import { expect, test } from 'vitest';
import { syncWords } from './sync-words.ts';

const calm = {
  online: true,
  drafts: 0,
  unsent: 0,
  attention: 0,
  sending: new Set<string>(),
  signInNeeded: false,
  notSaved: false,
};

test.each([
  [calm, 'Every change is with the server.'],
  [{ ...calm, drafts: 1 }, '1 draft, kept on this device until you save.'],
  [{ ...calm, unsent: 3, online: false }, '3 saved on this device: no network. They are sent by themselves.'],
  [{ ...calm, unsent: 3, signInNeeded: true }, '3 saved on this device: sign in to send them.'],
  [{ ...calm, unsent: 3, sending: new Set(['a']) }, '3 saved on this device: sending now.'],
  [{ ...calm, unsent: 3 }, '3 saved on this device: waiting for the next try.'],
  [{ ...calm, attention: 1, drafts: 2 }, '1 change needs attention.'],
  [{ ...calm, attention: 2, notSaved: true }, 'NOT saved: this device has no room left.'],
])('the state of the changes is said with its reason (%#)', (status, words) => {
  expect(syncWords(status)).toBe(words);
});
