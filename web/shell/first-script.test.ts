import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../index.html'), 'utf8');
const script = (/<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '').replace(
  '{/* code of each screen */}',
  JSON.stringify({ '/': ['/assets/dashboard.js'], '/markets': [] }),
);

/** What the page's first script asks for before the app is there. */
function asked(pathname: string, cookie: string): string[] {
  const links: { rel: string; href: string }[] = [];
  const document = {
    ...{ cookie, documentElement: { dataset: {} }, createElement: () => ({}) },
    head: { append: (link: { rel: string; href: string }) => links.push(link) },
  };
  new Function('document', 'location', 'localStorage', script)(document, { pathname }, { getItem: () => null });
  return links.filter(({ rel }) => rel === 'preload').map(({ href }) => href);
}

const ofDashboard = [
  '/api/auth/session',
  '/api/dashboard/stats',
  '/api/dashboard/exceptions',
  '/api/inventory/low-stock/page?limit=500',
];

test.each([
  ['/', 'milkrun_in=1', ofDashboard],
  ['/', 'other=2; milkrun_in=1', ofDashboard],
  ['/markets', 'milkrun_in=1', ['/api/auth/session']],
  ['/', '', []],
  ['/', 'milkrun_in=0', []],
  ['/', 'not_milkrun_in=1', []],
  ['/login', 'milkrun_in=1', []],
])('%s with the cookies %j asks for %j early', (pathname, cookie, wanted) => {
  expect(asked(pathname, cookie)).toEqual(wanted);
});
