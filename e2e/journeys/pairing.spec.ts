import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { firstPage, newFolder } from '../field-phone.ts';
import { enterAs, office, openBrowser, phone } from '../people.ts';

/** A desk on the device screen, with the search narrowed to one device. */
async function deskOf(email: string): Promise<{ browser: BrowserContext; desk: Page }> {
  const browser = await openBrowser(newFolder('desk'), office);
  const desk = await firstPage(browser);
  await enterAs(desk, email);
  await desk.goto('/device-login');
  return { browser, desk };
}

/** The code that a manager reads out to the driver of a route. */
async function issueCode(desk: Page, route: string): Promise<string> {
  await desk.getByRole('button', { name: 'Pair a Device' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Pair a Device' });
  await dialog.getByLabel('Route designation').selectOption({ label: `Route ${route}` });
  await dialog.getByRole('button', { name: 'Issue Pairing Code' }).click();
  await expect(dialog.getByRole('img', { name: /QR code of pairing code/ })).toBeVisible();
  const code = await dialog.getByText(/^\d{4} \d{4}$/).innerText();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  return code;
}

async function pair(hand: Page, code: string, name: string): Promise<void> {
  await hand.goto('/device-login');
  await hand.getByRole('textbox', { name: 'Pairing code' }).fill(code);
  await hand.getByRole('button', { name: 'Continue' }).click();
  const login = hand.getByRole('button', { name: 'Login Device' });
  await expect(login).toBeDisabled();
  await hand.getByLabel('Device name').fill(name);
  await hand.getByLabel('Device type').selectOption('tablet');
  await expect(login).toBeEnabled();
  await login.click();
  await expect(hand.getByRole('heading', { name: 'Device Authenticated' })).toBeVisible();
}

test('a manager pairs a phone by a code, an administrator revokes it, and the phone is out', async () => {
  const { browser: desks, desk } = await deskOf('manager@demo.milkrun.local');
  const code = await issueCode(desk, '101');
  const hands = await openBrowser(newFolder('paired'), phone);
  const hand = await firstPage(hands);
  const name = `Van tablet ${Date.now()}`;
  await pair(hand, code, name);
  const session = await (await hand.request.get('/api/auth/session')).json();
  expect(session.person).toMatchObject({ role: 'field_worker', routeDesignation: '101' });
  await hand.getByRole('link', { name: 'Open Mobile Inventory' }).click();
  await expect(hand).toHaveURL(/mobile-inventory/);

  // The code worked once; the next device is told so.
  const others = await openBrowser(newFolder('second'), phone);
  const other = await firstPage(others);
  await other.goto('/device-login');
  await other.getByRole('textbox', { name: 'Pairing code' }).fill(code);
  await other.getByRole('button', { name: 'Continue' }).click();
  await expect(other.getByRole('alert')).toContainText('was used');
  await others.close();
  await desks.close();

  const { browser: admins, desk: admin } = await deskOf('admin@demo.milkrun.local');
  await admin.getByRole('searchbox', { name: 'Search devices' }).fill(name);
  await admin.getByRole('button', { name: `Revoke ${name}` }).click();
  await admin.getByRole('button', { name: 'Revoke Device' }).click();
  // The event stream ends, and with it the open screen.
  await expect(hand).toHaveURL(/login/);
  expect((await hand.request.get('/api/vending-machines')).status()).toBe(401);
  await hand.goto('/device-login');
  await expect(hand.getByRole('textbox', { name: 'Pairing code' })).toBeVisible();
  await admins.close();
  await hands.close();
});
