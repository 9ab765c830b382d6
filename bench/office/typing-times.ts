import { existsSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { type SQL, sql } from 'drizzle-orm';
import { type Db, rows } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { drawnWhen } from '../drawn.ts';
import { signedIn } from '../signed-in.ts';

const rounds = 10;
const slower = 4;
const goalMs = 200;
/** Between two keys of somebody who types fast: sooner than a screen asks. */
const keyMs = 30;
const patienceMs = 20_000;

type Screen = { name: string; path: string; box: string; rows: string; words: SQL };

const wordsOfPlaces = (table: SQL): SQL =>
  sql`select split_part(name, ' ', 2) as word from ${table} where deleted_at is null`;
const wordsOfProducts = sql`select split_part(product_name, ' ', 1) as word from kind_days where day = '-infinity' and items > 0`;

const screens: readonly Screen[] = [
  {
    ...{ name: 'inventory', path: '/inventory', box: 'Search products or markets', rows: 'main tbody tr' },
    words: wordsOfProducts,
  },
  {
    ...{
      name: 'machines',
      path: '/vending-machines',
      box: 'Search machines',
      rows: '[aria-label="Vending machines"] > li',
    },
    words: wordsOfPlaces(sql`vending_machines`),
  },
  {
    ...{ name: 'markets', path: '/markets', box: 'Search markets', rows: 'main tbody tr' },
    words: wordsOfPlaces(sql`markets`),
  },
  {
    ...{
      name: 'route planning',
      path: '/route-planning?tab=machines',
      box: 'Search locations',
      rows: '[aria-label="Vending Machines"] li',
    },
    words: wordsOfPlaces(sql`vending_machines`),
  },
  {
    ...{
      name: 'administration, locations',
      path: '/admin-dashboard?tab=locations',
      box: 'Search',
      rows: 'main tbody tr',
    },
    words: wordsOfPlaces(sql`vending_machines`),
  },
  {
    ...{
      name: 'administration, inventory',
      path: '/admin-dashboard?tab=inventory',
      box: 'Search',
      rows: 'main tbody tr',
    },
    words: wordsOfProducts,
  },
];

/** From the last letter of a word typed into a filter to its rows drawn, in Chromium with the processor slowed four times. */
export async function typingTimes({ deps, address }: Running, say: (line: string) => void): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    say('SKIPPED: typing-times. It needs Chromium; name it by CHROMIUM_PATH.');
    return true;
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = (await signedIn(deps, 'admin')).split('=');
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    say(`Last letter of a filter to its rows drawn, ${slower} times slower, ${rounds} words: median and worst in ms`);
    let isMet = true;
    for (const screen of screens) {
      const times = await typed(page, address, { ...screen, said: await twoWords(deps.db, screen.words) });
      times.sort((a, b) => a - b);
      const median = times[times.length >> 1] ?? Number.POSITIVE_INFINITY;
      isMet &&= median <= goalMs;
      const judged = `goal ${goalMs} ${median <= goalMs ? 'met' : 'missed'}`;
      say(
        `  ${screen.name.padEnd(28)} ${median.toFixed(0).padStart(6)} ${(times.at(-1) ?? 0).toFixed(0).padStart(6)}  ${judged}`,
      );
    }
    return isMet;
  } finally {
    await browser.close();
  }
}

/** The words that most rows say: typed in turn, each shows other rows than the one before. */
async function twoWords(db: Db, words: SQL): Promise<string[]> {
  const found = await rows<{ word: string }>(
    db,
    sql`select lower(word) as word from (${words}) w where length(word) >= 4 group by 1 order by count(*) desc, 1 limit 2`,
  );
  if (found.length < 2) throw new Error('Typing needs a filled operator: add --profile XL.');
  return found.map(({ word }) => word);
}

async function typed(
  page: Page,
  address: string,
  { path, box, rows: row, said }: Screen & { said: string[] },
): Promise<number[]> {
  await page.goto(address + path);
  await page.locator(row).first().waitFor();
  const field = page.getByRole('searchbox', { name: box, exact: true });
  const times: number[] = [];
  // The first word loads code and statements that the others find.
  for (let n = 0; n <= rounds; n++) {
    const word = said[n % said.length] ?? '';
    await field.fill('');
    await page.waitForURL((url) => !url.searchParams.has('q'));
    await page.evaluate(whenIdle);
    await page.evaluate(waitForRows(row, word));
    await field.pressSequentially(word, { delay: keyMs });
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`No other rows for ${word}; the page is ${page.url()}`)), patienceMs).unref();
    });
    const time = await Promise.race([page.evaluate<number>('window.drawn'), late]);
    if (n > 0) times.push(time);
  }
  return times;
}

/** In the page: what the emptied filter brought back is drawn, too. */
const whenIdle = `new Promise((resolve) => requestIdleCallback(() => setTimeout(() => resolve(null), 500)))`;

/** In the page: promises the milliseconds from the last letter to the end of the frame that shows other rows. */
const waitForRows = (rowSelector: string, word: string): string => `
  {
    const first = () => document.querySelector(${JSON.stringify(rowSelector)})?.textContent ?? '';
    const before = first();
    let typed = 0;
    addEventListener('input', (event) => (typed = event.timeStamp), { capture: true });
    const isAsked = () => new URLSearchParams(location.search).get('q') === ${JSON.stringify(word)};
    window.drawn = ${drawnWhen("isAsked() && first() !== before && first() !== ''")}.then((at) => at - typed);
    null;
  }`;
