import { type BrowserContext, type BrowserContextOptions, chromium, expect, type Page } from '@playwright/test';

/** Where this worker's server is: Playwright counts those that run at once from 0, also after one was replaced. */
export const address = (): string => {
  const found = process.env.MILKRUN_ADDRESS?.split(' ')[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
  if (!found) throw new Error('no server: MILKRUN_ADDRESS is not set');
  return found;
};

/** Flags with which Debian's Chromium draws the map in software, quietly and without asking the network for anything. */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

export const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const office: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

/** A browser with a profile on disk: what a person's own device is, across kills and restarts. */
export function openBrowser(profile: string, options: BrowserContextOptions = office): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, { executablePath, args: flags, baseURL: address(), ...options });
}

export const launchOptions = { executablePath, args: flags };

/** The newest code of the demo's outbox for a person; '' where there is none. */
const newestCode = async (page: Page, email: string): Promise<string> =>
  (await outbox(page)).find((message) => message.to === email)?.code ?? '';

/** The same, once it is there and another than `before`. */
async function codeFor(page: Page, email: string, before = ''): Promise<string> {
  let code = '';
  await expect
    .poll(
      async () => {
        code = await newestCode(page, email);
        return code !== before && /^\d{6}$/.test(code);
      },
      { message: `a code for ${email}` },
    )
    .toBe(true);
  return code;
}

async function outbox(page: Page): Promise<{ to: string; code: string | null }[]> {
  return (await page.request.get('/api/demo/outbox')).json();
}

/** Signs in through the screen, as a person would. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('tab', { name: 'Work Email' }).click();
  await page.getByRole('textbox', { name: /email/i }).fill(email);
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByRole('heading', { name: 'Enter Verification Code' })).toBeVisible();
  await page.getByRole('textbox', { name: /code/i }).fill(await codeFor(page, email));
  await page.getByRole('button', { name: 'Verify & Login' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Signs in by calls, where signing in is not what the journey is about. */
export async function enterAs(page: Page, email: string): Promise<void> {
  const contact = { verificationType: 'email', email };
  // The code comes after the answer.
  const before = await newestCode(page, email);
  expect((await page.request.post('/api/auth/send-verification', { data: contact })).ok()).toBe(true);
  const code = await codeFor(page, email, before);
  expect((await page.request.post('/api/auth/verify-code', { data: { ...contact, code } })).ok()).toBe(true);
}

/** Opens a screen and waits until all of it has come. */
export async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}
