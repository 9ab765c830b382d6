import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { newFolder } from '../field-phone.ts';
import { address, enterAs, openBrowser } from '../people.ts';

const openMarkets = async (browser: BrowserContext): Promise<Page> => {
  const tab = await browser.newPage();
  await tab.goto('/markets', { timeout: 20_000 });
  await expect(tab.getByText(/^Rows 1–\d+ of \d+$/)).toBeVisible();
  return tab;
};

async function rename(tab: Page, name: string): Promise<void> {
  const reply = await tab.request.put('/api/markets/1', { headers: { origin: address() }, data: { name } });
  expect(reply.status(), await reply.text()).toBe(200);
}

test('more tabs than a browser has connections all open, all follow, and go on without the first', async () => {
  const browser = await openBrowser(newFolder('tabs'));
  const [first = await browser.newPage()] = browser.pages();
  await enterAs(first, 'admin@demo.milkrun.local');
  const { name } = await (await first.request.get('/api/markets/1')).json();
  const tabs: Page[] = [];
  for (let n = 0; n < 8; n++) tabs.push(await openMarkets(browser));
  await rename(first, 'Told to every tab');
  for (const tab of tabs) await expect(tab.getByText('Told to every tab').first()).toBeVisible();
  await first.close();
  await rename(tabs[0] ?? first, name);
  for (const tab of tabs) await expect(tab.getByText(name).first()).toBeVisible();
  await browser.close();
});
