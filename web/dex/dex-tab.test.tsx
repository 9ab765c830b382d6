// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DexReadDetail, DexReadSummary } from '../../contract/dex.ts';
import { refusal, show } from '../integrations/testing/office.tsx';
import { closeScreen, message, type Replies, type Sent, stubServer } from '../integrations/testing/replies.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { DexTab } from './dex-tab.tsx';

const user = userEvent.setup();
const summary = (id: number, fields: Partial<DexReadSummary> = {}): DexReadSummary => ({
  ...{ id, readAt: `2026-03-1${id}T15:00:00.000Z`, receivedAt: `2026-03-1${id}T15:00:00.000Z`, origin: 'upload' },
  ...{ outcome: 'sales' as const, crc: 'ok' as const, notes: [], booked: 2, soldVends: 3, ...fields },
});
const detail = (id: number, fields: Partial<DexReadDetail> = {}): DexReadDetail => ({
  ...summary(id),
  ...{
    serial: 'SN-1',
    model: 'M1',
    software: '',
    machineTime: '2026-03-11T15:00:00',
    decimalPoint: 2,
    currency: 'USD',
  },
  ...{
    vends: 10,
    value: 1_500,
    cash: 600,
    cashless: 900,
    cashInBox: null,
    tubeValue: null,
    tubes: [],
    temperature: null,
  },
  ...{ powerCuts: null, events: [], warnings: [], soldTotal: null },
  selections: [
    {
      ...{ id: 'A1', name: 'COLA', price: 150, vends: 10, value: 1_500, testVends: null, freeVends: null },
      ...{ soldOutAt: null, sold: { vends: 3, value: 450 } },
    },
  ],
  ...fields,
});
const list = (...reads: DexReadSummary[]) => ({ reads, total: reads.length, next: null });
const path = '/api/vending-machines/5/dex-reads';

let replies: Replies;
let sent: Sent[];
beforeEach(() => {
  replies = {
    [`GET ${path}?limit=10`]: list(summary(2), summary(1, { outcome: 'damaged', crc: 'mismatch', soldVends: null })),
    [`GET ${path}/2`]: detail(2),
    [`GET ${path}/1`]: detail(1, {
      ...{ outcome: 'damaged', crc: 'mismatch', decimalPoint: null },
      warnings: [{ code: 'crc-mismatch', message: 'The file was damaged on its way.' }],
    }),
  };
  sent = stubServer(() => replies);
});
afterEach(closeScreen);

test('the latest file is open: selections with what was sold, in money', async () => {
  show(<DexTab machineId={5} />);
  const row = (await screen.findByText('COLA')).closest('tr');
  expect(row?.textContent).toContain('$1.50');
  expect(screen.getByText('Checksum holds')).toBeDefined();
  expect(screen.getByText('Booked')).toBeDefined();
  expect(screen.getByText('Machine clock').nextElementSibling?.textContent).toBe('Mar 11, 2026, 3:00 PM');
});

test('a damaged file is said to be one, and tells no money whose scale is unknown', async () => {
  show(<DexTab machineId={5} />);
  await user.click((await screen.findByText('Damaged')).closest('button') as HTMLElement);
  expect(await screen.findByText('Checksum does not hold')).toBeDefined();
  expect(screen.getByText('The file was damaged on its way.')).toBeDefined();
  expect((screen.getByText('COLA').closest('tr') as HTMLElement).textContent).not.toContain('$');
});

async function hand(file: File): Promise<void> {
  show(<DexTab machineId={5} />);
  await user.upload(await screen.findByLabelText('DEX file'), file);
}

test('a file is sent byte for byte, and what came of it is said', async () => {
  replies[`POST ${path}`] = { id: 3, outcome: 'sales', message: 'Kept, and 2 sale lines booked.' };
  await hand(new File([Uint8Array.of(68, 88, 83, 0xe4)], 'a.dex'));
  await expect.poll(message).toBe('DEX file read: Kept, and 2 sale lines booked.');
  expect(sent.find(({ line }) => line.startsWith('POST'))?.body).toEqual({ content: 'RFhT5A==', encoding: 'base64' });
});

test('what is no DEX file is refused with the server’s sentence', async () => {
  replies[`POST ${path}`] = refusal(400, 'This is no DEX file: it has no line that begins with DXS.');
  await hand(new File(['hello'], 'a.txt'));
  await expect.poll(message).toBe('File not taken: This is no DEX file: it has no line that begins with DXS.');
});

test('a file that did not get through is sent again without being chosen again', async () => {
  replies[`POST ${path}`] = () => {
    throw new TypeError('Failed to fetch');
  };
  await hand(new File(['DXS'], 'a.dex'));
  await expect.poll(message).toMatch(/^File not taken: The server cannot be reached/);
  replies[`POST ${path}`] = { id: 3, outcome: 'sales', message: 'Kept.' };
  toastStore.get()[0]?.action?.run();
  await expect.poll(message).toBe('DEX file read: Kept.');
});

test('a file far too large is not sent at all', async () => {
  await hand(new File([new Uint8Array(700_000)], 'film.mp4'));
  await expect.poll(message).toBe('File not taken: This file is too large for a DEX file.');
  expect(sent.some(({ line }) => line.startsWith('POST'))).toBe(false);
});

test('without a file it says what to do; where the list does not load, so', async () => {
  replies[`GET ${path}?limit=10`] = list();
  show(<DexTab machineId={5} />);
  expect(await screen.findByText('No DEX files yet')).toBeDefined();
  closeScreen();
  replies[`GET ${path}?limit=10`] = refusal(503, 'The database does not answer.');
  stubServer(() => replies);
  show(<DexTab machineId={5} />);
  expect(await screen.findByText('DEX files did not load')).toBeDefined();
});

test('a person in the field hands files in, and links no slots', async () => {
  show(<DexTab machineId={5} />, 'field_worker');
  const card = within((await screen.findByText('COLA')).ownerDocument.body);
  expect(card.queryByRole('button', { name: 'Slots' })).toBeNull();
  expect(card.getByRole('button', { name: 'Add file' })).toBeDefined();
});
