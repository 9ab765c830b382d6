import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { arrives, counts, firstPage, newFolder, openMachine, saveOneCount } from '../field-phone.ts';
import { address, enterAs, openBrowser, phone } from '../people.ts';

/** The server as it will be after its next release: the same, with another service worker. */
class Releases {
  version = 1;
  isDoorShut = false;
  private readonly server: Server = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', address());
    if (this.isDoorShut && target.pathname === '/api/sync/events') {
      outgoing.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    const isWorker = target.pathname === '/service-worker.js';
    const { 'if-none-match': _tag, 'if-modified-since': _since, ...asked } = incoming.headers;
    // As text and in full, never 'as you have it'.
    const headers = isWorker ? { ...asked, 'accept-encoding': 'identity' } : incoming.headers;
    const onward = request(target, { method: incoming.method, headers }, (answer) => {
      const { 'content-length': _length, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, isWorker ? kept : answer.headers);
      answer.pipe(outgoing, { end: !isWorker });
      if (isWorker) answer.once('end', () => outgoing.end(`\n// version ${this.version}\n`));
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

test('an update is offered and not forced, and loses nothing that is unsent', async () => {
  const releases = new Releases();
  const baseURL = await releases.start();
  const browser = await openBrowser(newFolder('update'), { ...phone, baseURL });
  const hand = await firstPage(browser);
  await enterAs(hand, 'driver202@demo.milkrun.local');
  await openMachine(hand);
  await expect.poll(() => hand.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  releases.isDoorShut = true;
  const saved = await saveOneCount(hand);
  const [before] = await counts(hand);
  await hand.evaluate(() => Object.assign(window, { isSamePage: true }));
  releases.version = 2;
  await hand.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await expect(hand.getByText('A new version is ready', { exact: true })).toBeVisible();
  // Offered only: the page in hand goes on as it was.
  expect(await hand.evaluate(() => 'isSamePage' in window)).toBe(true);
  const update = hand.getByRole('button', { name: 'Update' });
  const isNewPage = () => hand.evaluate(() => !('isSamePage' in window)).catch(() => false);
  await expect(async () => {
    // While a try to send is under way the app asks for a moment, and is asked again.
    if (!(await isNewPage()) && (await update.isVisible())) await update.click({ timeout: 2_000 });
    expect(await isNewPage()).toBe(true);
  }).toPass();
  await expect(hand.getByRole('region', { name: 'Machine front' })).toBeVisible();
  const [after] = await counts(hand);
  expect(after).toMatchObject({ id: before?.id, status: 'unsent', event: { quantity: saved.quantity } });
  releases.isDoorShut = false;
  await arrives(hand, saved);
  await browser.close();
  releases.stop();
});
