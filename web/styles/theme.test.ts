import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const css = readFileSync(path.join(import.meta.dirname, 'theme.css'), 'utf8');

/** Red, green and blue of a colour in the light and in the dark theme, each from 0 to 255. */
function coloursOf(name: string): number[][] {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(css) ?? [];
  return [light, dark].map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));
}

/** How far a colour is from grey: the span of its three parts. */
const spansOf = (name: string): number[] => coloursOf(name).map((parts) => Math.max(...parts) - Math.min(...parts));

test.each([1, 2, 3, 4, 5])('series %i of a chart is no grey, for grey is what went before', (series) => {
  expect(Math.max(...spansOf('previous'))).toBeLessThan(25);
  expect(Math.min(...spansOf(`series-${series}`))).toBeGreaterThan(60);
});

test('text has the size that the browser is set to: no letter on a screen is measured in px', () => {
  const map = readFileSync(path.join(import.meta.dirname, '../map/map.css'), 'utf8');
  const [screen = ''] = css.split('@media print');
  const sizes = `${screen}${map}`.match(/(?:--text-\d+(?:--line-height)?|font|font-size|line-height): [^;]*/g) ?? [];
  expect(sizes.length).toBeGreaterThan(15);
  expect(sizes.filter((size) => /\dpx/.test(size))).toEqual([]);
});
