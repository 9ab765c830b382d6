import path from 'node:path';
import { type Browser, type BrowserContext, chromium, expect, test } from '@playwright/test';
import { type DrawnCode, writeBarcodeVideo } from '../barcode-picture.ts';
import { newFolder } from '../field-phone.ts';
import { address, enterAs, launchOptions, phone } from '../people.ts';

/** A browser whose camera sees these barcodes one after the other. */
async function openCamera(codes: readonly DrawnCode[]): Promise<{ browser: Browser; context: BrowserContext }> {
  const video = path.join(newFolder('camera'), 'barcodes.y4m');
  await writeBarcodeVideo(video, codes);
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...launchOptions.args, ...camera, `--use-file-for-fake-video-capture=${video}`],
  });
  const context = await browser.newContext({ ...phone, baseURL: address(), permissions: ['camera'] });
  return { browser, context };
}

/** A barcode of the catalogue, as the screen offers it to try. */
async function catalogueCode(): Promise<string> {
  const plain = await chromium.launch(launchOptions);
  const hand = await plain.newPage({ ...phone, baseURL: address() });
  await enterAs(hand, 'driver101@demo.milkrun.local');
  await hand.goto('/mobile-inventory');
  await hand.getByRole('button', { name: 'Enable Scan Mode' }).click();
  const offered = (await hand.getByText(/^Try: /).textContent()) ?? '';
  await plain.close();
  const [code = ''] = /\d{12,13}/.exec(offered) ?? [];
  return code;
}

test('the camera reads EAN-8, Code 128, EAN-13, UPC-A and QR codes', async () => {
  const codes: DrawnCode[] = [
    { format: 'EAN8', text: '96385074' },
    { format: 'Code128', text: 'TRAY-77-Z' },
    { format: 'EAN13', text: '4006381333931' },
    { format: 'UPCA', text: '036000291452' },
    { format: 'QRCode', text: 'https://elsewhere.example/a?b=1' },
  ];
  const { browser, context } = await openCamera(codes);
  const page = await context.newPage();
  await enterAs(page, 'driver505@demo.milkrun.local');
  await page.goto('/mobile-inventory');
  await expect(page.getByText(/^Last sync: \d/)).toBeVisible();
  await page.getByRole('button', { name: 'Enable Scan Mode' }).click();
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  // None of them is in the catalogue: each is told with its number while the camera sees it.
  const told = page.getByRole('region', { name: 'Unknown barcode' }).locator('strong');
  const seen = new Set<string>();
  const reads = async () => {
    for (const text of await told.allTextContents()) seen.add(text.replace(/^0+/, ''));
    return codes.every(({ text }) => seen.has(text.replace(/^0+/, '')));
  };
  await expect.poll(reads, { timeout: 60_000, intervals: [100] }).toBe(true);
  await browser.close();
});

test('the camera reads a product off its barcode, without a network, and does not add it twice', async () => {
  const code = await catalogueCode();
  const { browser, context } = await openCamera([{ format: 'EAN13', text: code.padStart(13, '0') }]);
  const page = await context.newPage();
  await enterAs(page, 'driver101@demo.milkrun.local');
  await page.goto('/mobile-inventory');
  await page.getByRole('button', { name: 'Enable Scan Mode' }).click();
  // The catalogue and the reader are on the phone from here on.
  await expect(page.getByText(/^Try: /)).toBeVisible();
  await expect(page.getByText(/^Last sync: \d/)).toBeVisible();
  const parts = ['.wasm', 'zxing_reader', 'camera-scan'];
  const missing = () =>
    page.evaluate(async (wanted) => {
      const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      const there = (await Promise.all(caching)).flat().map(({ url }) => url);
      return wanted.filter((part) => !there.some((url) => url.includes(part)));
    }, parts);
  await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await expect(page.getByText('Product Scanned', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Close the camera' }).click();
  await page.getByRole('textbox', { name: 'Barcode' }).fill(code);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Scanned again', { exact: true })).toBeVisible();
  await browser.close();
});

test('the picture of the camera stays in sight beside the row that was scanned', async () => {
  const code = await catalogueCode();
  const { browser, context } = await openCamera([{ format: 'EAN13', text: code.padStart(13, '0') }]);
  const page = await context.newPage();
  await enterAs(page, 'driver101@demo.milkrun.local');
  await page.goto('/mobile-inventory');
  await page.getByRole('tabpanel').getByRole('listitem').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Enable Scan Mode' }).click();
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  await expect(page.getByText('Product Scanned', { exact: true })).toBeVisible();
  await expect(page.getByText('1 items to update')).toBeVisible();
  await expect(page.getByLabel('Camera picture')).toBeInViewport();
  await browser.close();
});
