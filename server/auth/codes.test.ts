import { expect, it } from 'vitest';
import { makeCode } from './codes.ts';

const draw = (): string[] => Array.from({ length: 100_000 }, makeCode);

function chiSquare(codes: readonly string[]): number {
  const cells = 1000;
  const counts = new Array<number>(cells).fill(0);
  for (const code of codes) {
    const cell = Math.floor((Number(code) * cells) / 1_000_000);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  const expected = codes.length / cells;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

it('draws every code as likely as any other', () => {
  // With 999 degrees of freedom p = 0.001 lies at 1143.9. One fair draw in a thousand lies beyond, two in a row never.
  expect(Math.min(chiSquare(draw()), chiSquare(draw()))).toBeLessThan(1143.9);
});

it('has six digits and keeps leading zeros', () => {
  const codes = draw();
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(codes.filter((code) => code.startsWith('0')).length).toBeGreaterThan(9_000);
  expect(codes.some((code) => code.startsWith('000'))).toBe(true);
});
