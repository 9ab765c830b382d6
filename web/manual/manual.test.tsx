// @vitest-environment happy-dom
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Route } from 'wouter';
import { createQueryClient } from '../http/query-client.ts';
import { screens } from '../screens.tsx';
import { readPage } from './manual-plugin.ts';
import { ManualScreen } from './manual-screen.tsx';
import { manualAddress } from './page-of-screen.ts';

const folder = path.join(import.meta.dirname, '../../docs/manual');
const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
/** All pictures of the manual together. */
const mostPictureBytes = 1_500_000;
const names = files.map((name) => name.replace('.md', ''));

afterEach(cleanup);

test('every page can be shown, and its links lead to pages there are', () => {
  for (const file of files) {
    const { blocks } = readPage(readFileSync(path.join(folder, file), 'utf8'));
    const runs = blocks.flatMap((block) => {
      if (block.kind === 'list') return block.items.flat();
      if (block.kind === 'picture') return [];
      if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flat();
      return block.runs;
    });
    const targets = runs.flatMap(({ href }) => (href ? [href.replace('/manual/', '')] : []));
    expect(names, file).toEqual(expect.arrayContaining(targets));
    expect(blocks.length, file).toBeGreaterThan(1);
  }
});

test('every picture is a small file with words, and every file is on a page', () => {
  const shown = files.flatMap((file) =>
    readPage(readFileSync(path.join(folder, file), 'utf8')).blocks.flatMap((block) =>
      block.kind === 'picture' ? [block] : [],
    ),
  );
  const kept = readdirSync(path.join(folder, 'pictures')).map((name) => `pictures/${name}`);
  expect(shown.map(({ src }) => src).toSorted()).toEqual(kept.toSorted());
  const bytes = kept.map((name) => statSync(path.join(folder, name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(mostPictureBytes);
  expect(() => readPage('# A page\n\n![](pictures/markets.webp)\n')).toThrow('needs words');
});

test('every screen of the menu has a page', () => {
  const without = screens.filter(({ path: at, inside }) => !inside && manualAddress(at) === '/manual');
  expect(without.map(({ path: at }) => at)).toEqual([]);
});

test('a page that does not exist offers the contents', async () => {
  window.history.replaceState(null, '', '/manual/nothing');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Route path="/manual/:page?">
        <ManualScreen />
      </Route>
    </QueryClientProvider>,
  );
  expect(await screen.findByText('This page is not in the manual')).toBeDefined();
  expect(screen.getByRole('link', { name: 'All pages of the manual' })).toBeDefined();
});
