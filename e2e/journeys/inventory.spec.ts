import { readFileSync } from 'node:fs';
import { type Browser, chromium, expect, type Locator, type Page, test } from '@playwright/test';
import { address, enterAs, launchOptions, office } from '../people.ts';

async function personAt(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ ...office, baseURL: address(), acceptDownloads: true });
  const page = await context.newPage();
  await enterAs(page, email);
  return page;
}

const rowOf = (page: Page, product: string): Locator => page.getByRole('row').filter({ hasText: product });
const dialogOf = (page: Page): Locator => page.getByRole('dialog');

async function search(page: Page, text: string): Promise<void> {
  await page.goto('/inventory');
  await page.getByRole('searchbox', { name: 'Search products or markets' }).fill(text);
  await expect(page).toHaveURL(/[?&]q=/);
}

async function openEdit(page: Page, product: string): Promise<void> {
  await search(page, product);
  await rowOf(page, product).getByRole('button', { name: /^Edit/ }).click();
  await expect(dialogOf(page).getByLabel('Minimum quantity')).toBeVisible();
}

test('an item is added, edited by two people at once, exported, deleted and brought back', async () => {
  const browser = await chromium.launch(launchOptions);
  const manager = await personAt(browser, 'manager@demo.milkrun.local');
  const admin = await personAt(browser, 'admin@demo.milkrun.local');
  const product = `Trail Mix ${Date.now()}`;

  await manager.goto('/inventory');
  await manager.getByRole('button', { name: 'Add Item' }).click();
  const form = dialogOf(manager);
  await form.getByRole('combobox', { name: 'Market' }).fill('mkt-001');
  await form.getByRole('option').first().click();
  await form.getByRole('combobox', { name: 'Product' }).fill(product);
  await form.getByLabel('Current quantity').fill('9');
  await form.getByRole('button', { name: 'Add Item' }).click();
  await expect(manager.getByText('Item Created', { exact: true })).toBeVisible();
  await expect(form).toBeHidden();

  // Both open the same row; the manager is quicker.
  await openEdit(manager, product);
  await expect(rowOf(manager, product)).toContainText('Low Stock');
  await openEdit(admin, product);
  await form.getByLabel('Minimum quantity').fill('6');
  await form.getByRole('button', { name: 'Save Item' }).click();
  await expect(manager.getByText('Item Updated', { exact: true })).toBeVisible();
  const late = dialogOf(admin);
  await late.getByLabel('Minimum quantity').fill('4');
  await late.getByRole('button', { name: 'Save Item' }).click();
  await expect(late.getByText("Minimum quantity: '10' is now '6'. Yours is kept: '4'.")).toBeVisible();
  await expect(late.getByLabel('Minimum quantity')).toHaveValue('4');
  await late.getByRole('button', { name: 'Save Item' }).click();
  await expect(admin.getByText('Item Updated', { exact: true })).toBeVisible();

  // The manager's open table hears of it by itself.
  await expect(rowOf(manager, product)).toContainText('In Stock');
  await manager.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    manager.waitForEvent('download'),
    manager.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const [head, line, ...rest] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(head).toMatch(/^Product,Market,/);
  expect(line).toMatch(new RegExp(`^${product},.*,9,4,In Stock,`));
  expect(rest).toEqual([]);
  await expect(manager.getByRole('button', { name: /^Delete/ })).toHaveCount(0);

  await rowOf(admin, product)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await dialogOf(admin).getByRole('button', { name: 'Delete Item' }).click();
  await expect(admin.getByText(`No item matches '${product}'`)).toBeVisible();
  await admin.getByRole('button', { name: 'Undo' }).click();
  await expect(admin.getByText('Item Restored', { exact: true })).toBeVisible();
  await expect(rowOf(admin, product)).toContainText('In Stock');
  await expect(rowOf(manager, product)).toContainText('In Stock');
  await browser.close();
});
