import { expect, it } from 'vitest';
import { sameWhereEqual } from './same-where-equal.ts';

const rows = () => [
  { id: 1, quantity: 4, tags: ['a'] },
  { id: 2, quantity: 5, tags: [] },
];

it('keeps the list and its rows when nothing changed', () => {
  const before = rows();
  expect(sameWhereEqual(before, rows())).toBe(before);
});

it('exchanges only the row that changed', () => {
  const before = rows();
  const after = rows().map((row) => (row.id === 2 ? { ...row, quantity: 6 } : row));
  const result = sameWhereEqual(before, after);
  expect(result).toEqual(after);
  expect(result[0]).toBe(before[0]);
  expect(result[1]).not.toBe(before[1]);
});

it('notices a row that went and a field that went', () => {
  const before = rows();
  expect(sameWhereEqual(before, rows().slice(0, 1))).toEqual(rows().slice(0, 1));
  expect(sameWhereEqual({ a: 1, b: 2 } as object, { a: 1 })).toEqual({ a: 1 });
});

it('leaves what is no plain value alone', () => {
  const before = new Blob(['x']);
  const after = new Blob(['x']);
  expect(sameWhereEqual(before, after)).toBe(after);
});
