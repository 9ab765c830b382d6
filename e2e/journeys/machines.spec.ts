import { chromium, expect, type Page, test } from '@playwright/test';
import { address, enterAs, launchOptions, office } from '../people.ts';

const own = String(Date.now());
const name = `Harbour Lobby ${own}`;

async function addMachine(page: Page): Promise<void> {
  await page.goto('/vending-machines');
  await page.getByRole('button', { name: 'Add Vending Machine' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Capacity')).toHaveValue('100');
  await expect(dialog.getByLabel('Status')).toHaveValue('active');
  await dialog.getByRole('button', { name: 'Add Vending Machine' }).click();
  for (const field of ['Name', 'Machine ID', 'Location', 'Address', 'Latitude', 'Longitude']) {
    await expect(dialog.getByText(`${field} is required`)).toBeVisible();
  }
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Machine ID').fill(`VM-${own}`);
  await dialog.getByLabel('Location').fill('Lobby');
  await dialog.getByLabel('Address').fill('1 Harbour Street');
  await dialog.getByLabel('Latitude').fill('40.71');
  await dialog.getByLabel('Longitude').fill('-74.01');
  await dialog.getByRole('button', { name: 'Add Vending Machine' }).click();
  await expect(page.getByText('Machine created', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
}

async function addProduct(page: Page, product: { name: string; slot: string; price: string }): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Product name').fill(product.name);
  await dialog.getByLabel('Slot number').fill(product.slot);
  await dialog.getByLabel('Price').fill(product.price);
  await dialog.getByLabel('Current quantity').fill('6');
  await dialog.getByRole('button', { name: 'Add Product' }).click();
  await expect(page.getByText('Inventory added', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Current products' }).getByText(product.name)).toBeVisible();
}

test('a machine is added and filled with products, its slots change places by drag, and its alert is noted', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await addMachine(page);

  await page.getByRole('searchbox', { name: 'Search machines' }).fill(own);
  await expect(page.getByText('1 machine', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Manage Inventory of ${name}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('No inventory items yet. Add some products above.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add Product' }).click();
  for (const field of ['Product name', 'Slot number', 'Price']) {
    await expect(dialog.getByText(`${field} is required`)).toBeVisible();
  }
  await addProduct(page, { name: 'Sea Salt Chips', slot: 'A1', price: '1.75' });
  await addProduct(page, { name: 'Oat Bar', slot: 'A2', price: '2.25' });
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('12/100')).toBeVisible();

  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  const slot = (number: string, product: string) =>
    page.getByRole('button', { name: new RegExp(`^${number} .* ${product} 6/10`) });
  await slot('A1', 'Sea Salt Chips').dragTo(slot('A2', 'Oat Bar'));
  await expect(slot('A1', 'Oat Bar')).toBeVisible();
  await expect(slot('A2', 'Sea Salt Chips')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(slot('A1', 'Sea Salt Chips')).toBeVisible();
  await slot('A1', 'Sea Salt Chips').press('Alt+ArrowRight');
  await expect(slot('A2', 'Sea Salt Chips')).toBeVisible();
  await page.reload();
  await slot('A2', 'Sea Salt Chips').click();

  const change = page.getByRole('form', { name: 'Change A2' });
  await change.getByLabel('On hand').fill('0');
  await change.getByRole('button', { name: 'Save A2' }).click();
  await expect(page.getByRole('button', { name: /^A2 .* Sea Salt Chips Empty 0\/10/ })).toBeVisible();

  await page.getByRole('tab', { name: 'Alerts' }).click();
  const alert = page.getByRole('listitem').filter({ hasText: 'A2 Sea Salt Chips is sold out' });
  await alert.getByRole('button', { name: /^Acknowledge/ }).click();
  await expect(alert.getByText(/Acknowledged by Wendell Ortega/)).toBeVisible();
  await page.goto(`/vending-machines/alerts?state=new&q=${own}`);
  await expect(page.getByText('No alert matches')).toBeVisible();
  await page.goto(`/vending-machines/alerts?state=acknowledged&q=${own}`);
  await expect(page.getByText('A2 Sea Salt Chips is sold out')).toBeVisible();
  await browser.close();
});

test('an unknown machine and an unknown market say so and lead back', async () => {
  const browser = await chromium.launch(launchOptions);
  const context = await browser.newContext({ ...office, baseURL: address() });
  const page = await context.newPage();
  await enterAs(page, 'manager@demo.milkrun.local');
  await page.goto('/vending-machines/99999');
  await expect(page.getByText('Vending machine not found')).toBeVisible();
  await page.goto('/markets/99999');
  await expect(page.getByText('Market not found')).toBeVisible();
  await browser.close();
});
