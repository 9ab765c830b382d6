import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { otherThan } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { issueCode, tryCode } from './codes.ts';

const guesses = 200;

onEachDatabase('guessing a code', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  it('of 200 guesses at once five are looked at', async () => {
    const { db, secrets, clock } = test.deps;
    const contact = { channel: 'email' as const, address: 'guessed@example.test' };
    const at = clock.now();
    const { code, challenge } = await issueCode(db, secrets, { contact, userId: 1, at });
    const guess = () => tryCode(db, secrets, { contact, challenge, code: otherThan(code), at });
    const tried = await Promise.all(Array.from({ length: guesses }, guess));
    expect(tried.filter((one) => one === 'wrong-code')).toHaveLength(5);
    expect(tried.filter((one) => one === 'too-many-tries')).toHaveLength(guesses - 5);
    expect(await tryCode(db, secrets, { contact, challenge, code, at })).toBe('too-many-tries');
  });
});
