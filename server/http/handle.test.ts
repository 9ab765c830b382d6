import { expect, test } from 'vitest';
import { z } from 'zod';
import { serialiserOf } from './handle.ts';

const item = z.object({
  text: z.string().nullable(),
  whole: z.int().nullable(),
  money: z.number().nullable(),
  flag: z.boolean().nullable(),
  moment: z.iso.datetime().nullable(),
  part: z.object({ name: z.string().nullable() }).nullable(),
  list: z.array(z.string().nullable()).nullable(),
  word: z.enum(['one', 'two']).nullable(),
  either: z.union([z.string(), z.number()]).nullable(),
  sums: z.record(z.string(), z.number()).nullable(),
  maybe: z.string().nullish(),
});

const full = {
  text: '6" Sub\u2028',
  whole: 0,
  money: 1.5,
  flag: false,
  moment: '2026-03-01T05:00:00.000Z',
  part: { name: null },
  list: ['a', null, ''],
  word: 'two',
  either: 7,
  sums: { a: 1 },
  maybe: null,
};
const empty = Object.fromEntries(Object.keys(full).map((name) => [name, null]));

test('writes what may be null as it is, whatever it may be beside', () => {
  const write = serialiserOf(z.array(item));
  for (const value of [full, empty, { ...full, maybe: undefined }]) {
    expect(JSON.parse(write([value]))).toEqual(JSON.parse(JSON.stringify([value])));
  }
});

test('leaves out what the reply does not name', () => {
  expect(JSON.parse(serialiserOf(z.object({ id: z.int() }).nullable())({ id: 1, secret: 'x' }))).toEqual({ id: 1 });
});
