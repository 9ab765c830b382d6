import { expect, test } from 'vitest';
import { isDatabaseHere } from '../env.ts';
import { meanMs } from './measured.ts';

test.each([
  [3006, 20, 150],
  [3012, 20, 151],
  [1996, 20, 99.8],
  [1999, 20, 100],
  [5, 0, 0],
])('%s ms in %s calls are %s ms each, as a screen shows it', (ms, times, mean) => {
  expect(meanMs(ms, times)).toBe(mean);
});

test.each([
  [null, true],
  ['postgres://user@localhost:5432/milkrun', true],
  ['postgres://user@127.0.0.1/milkrun', true],
  ['postgres://user@[::1]:5432/milkrun', true],
  ['postgres://user@localhost/milkrun?host=/var/run/postgresql', true],
  ['postgres://user@%2Fvar%2Frun%2Fpostgresql/milkrun', true],
  ['postgres://user@database/milkrun', false],
  ['postgres://user@10.0.0.7/milkrun', false],
  ['postgres://user@localhost/milkrun?host=database', false],
])('of the database at %s it is %s that it has the disk of this machine', (databaseUrl, isHere) => {
  expect(isDatabaseHere({ databaseUrl, databaseDirectUrl: null })).toBe(isHere);
});

test('a pooler on this machine does not bring the database here', () => {
  const databaseUrl = 'postgres://user@localhost:6432/milkrun';
  expect(isDatabaseHere({ databaseUrl, databaseDirectUrl: 'postgres://user@database/milkrun' })).toBe(false);
});
