import { hash } from '../../simulator/random.ts';

/** A UUID that follows from numbers alone. */
export function uuidOf(seed: number, kind: number, ...numbers: number[]): string {
  const parts = [1, 2, 3, 4].map((part) =>
    hash(seed, kind, part, ...numbers)
      .toString(16)
      .padStart(8, '0'),
  );
  const [a = '', b = '', c = '', d = ''] = parts;
  return `${a}-${b.slice(0, 4)}-11e4-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

export const kinds = { outlet: 1, product: 2, stock: 3, sale: 4, line: 5, payment: 6, register: 7, tax: 8, type: 9 };
