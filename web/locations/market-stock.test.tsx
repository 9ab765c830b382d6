// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { MarketStock } from './market-stock.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const item = (id: number, productName: string, currentQuantity: number) => ({
  id,
  marketId: 4,
  productName,
  currentQuantity,
  minimumQuantity: 2,
  price: '1.00',
  lastRestocked: null,
});

/** Opens the stock of a market; what is saved as a file is added to `files`. */
function open(items: readonly object[], files: Blob[] = []): void {
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file);
    return 'blob:file';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  vi.stubGlobal('fetch', async (input: string) => Response.json(input.includes('inventory') ? items : { id: 4 }));
  render(
    <SessionContext value={buildSession(1)}>
      <QueryClientProvider client={createQueryClient()}>
        <MarketStock marketId={4} />
      </QueryClientProvider>
    </SessionContext>,
  );
}

const products = async (file: Blob | undefined) =>
  (await file?.text())
    ?.trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);

test('the file has the products in the order of the table', async () => {
  const files: Blob[] = [];
  open([item(1, 'Bagel', 9), item(2, 'Apple', 5), item(3, 'Cola', 1)], files);
  const user = userEvent.setup();
  const save = async (): Promise<void> => {
    await user.click(await screen.findByRole('button', { name: /^Export/ }));
    await user.click(await screen.findByRole('button', { name: 'CSV' }));
  };
  await screen.findByText('Cola');
  await save();
  await waitFor(() => expect(files).toHaveLength(1));
  expect(await products(files[0])).toEqual(['Cola', 'Apple', 'Bagel']);
  await user.click(screen.getByRole('button', { name: /^Product/ }));
  await save();
  await waitFor(() => expect(files).toHaveLength(2));
  expect(await products(files[1])).toEqual(['Apple', 'Bagel', 'Cola']);
});

test('on a phone a product is named to the end', async () => {
  open([item(1, 'Candy Shell Chocolate Almond', 9)]);
  expect((await screen.findByText('Candy Shell Chocolate Almond')).className).toContain('max-sm:line-clamp-4');
});

test('one product is counted as one', async () => {
  open([item(1, 'Bagel', 1)]);
  expect(await screen.findByText('1 product, 1 unit')).toBeTruthy();
});
