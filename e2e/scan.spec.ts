import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect, test } from '@playwright/test';
import { writeBarcodeVideo } from './barcode-picture.ts';
import { address, launchOptions, phone, signIn } from './people.ts';

test('the camera reads a product off its barcode, without a network, and does not add it twice', async () => {
  const video = path.join(mkdtempSync(path.join(tmpdir(), 'milkrun-camera-')), 'barcode.y4m');
  const plain = await chromium.launch(launchOptions);
  const hand = await plain.newPage({ ...phone, baseURL: address() });
  await signIn(hand, 'driver101@demo.milkrun.local');
  await hand.goto('/mobile-inventory');
  await hand.getByRole('button', { name: 'Enable Scan Mode' }).click();
  const offered = (await hand.getByText(/^Try: /).textContent()) ?? '';
  await plain.close();
  const [code = ''] = /\d{12,13}/.exec(offered) ?? [];
  writeBarcodeVideo(video, code);

  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...launchOptions.args, ...camera, `--use-file-for-fake-video-capture=${video}`],
  });
  const context = await browser.newContext({ ...phone, baseURL: address(), permissions: ['camera'] });
  const page = await context.newPage();
  await signIn(page, 'driver101@demo.milkrun.local');
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
