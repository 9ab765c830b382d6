import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const web = path.join(import.meta.dirname, '..');
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
);
const readsDecimal = /\b(?:Number|parseFloat)\([^()]*(?:latitude|longitude|amount|price|cost)/i;

test('coordinates and money of the wire become numbers in one place of the client', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((file) => readsDecimal.test(readFileSync(path.join(web, file), 'utf8')))).toEqual([]);
});
