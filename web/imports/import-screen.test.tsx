// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { ImportResult, ImportUpload, PastImport } from '../../contract/imports.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { ImportScreen } from './import-screen.tsx';

const user = userEvent.setup();

const upload: ImportUpload = {
  id: 7,
  name: 'old.csv',
  kind: 'products',
  columns: [
    { name: 'Code', sameAs: null, samples: ['036000291452'], field: null },
    { name: 'What', sameAs: null, samples: [], field: null },
  ],
  fields: ['barcode', 'name', 'unitPrice'],
  needs: [['barcode', 'name']],
  remembered: false,
};
const report: ImportResult = {
  ...{ kind: 'products', file: 'old.csv', dryRun: true, rows: 75, created: 12, updated: 1, unchanged: 0, repeated: 2 },
  refused: { total: 60, first: Array.from({ length: 50 }, (_, n) => ({ line: n + 2, reason: 'has no name' })) },
  flagged: [{ reason: 'no brand', count: 3, amount: null, lines: [4, 5, 6] }],
  notes: ['Line 1 stands above the header: left out.'],
  swapped: false,
  sales: null,
};

const past: PastImport = {
  ...{ id: 4, kind: 'products', file: 'spring.csv', importedBy: 'Ann Lee', importedAt: '2026-03-01T09:00:00.000Z' },
  ...{
    rows: 9,
    created: 5,
    updated: 2,
    unchanged: 1,
    repeated: 0,
    refused: 1,
    undoneAt: null,
    undoneBy: null,
    canUndo: true,
  },
};

type Sent = { method: string; path: string; search: string; body: unknown };
let sent: Sent[] = [];
let refusal: string | null = null;
let refusedFields: Record<string, string> | undefined;
let outcome: ImportResult = report;
let offered: ImportUpload = upload;
let undoRefusal: string | null = null;
let pastNow: PastImport = past;
/** Set: an import under way waits for it. */
let held: Promise<void> | null = null;
let ended = false;

const refused = (status: number, detail: string) =>
  Response.json({ detail, status, fields: refusedFields }, { status });

function answer(dryRun: boolean, signal: AbortSignal | null | undefined): Response {
  const line = (told: object) => new TextEncoder().encode(`${JSON.stringify(told)}\n`);
  const body = new ReadableStream({
    start: async (out) => {
      out.enqueue(line({ read: 75, done: 40 }));
      signal?.addEventListener('abort', () => {
        ended = true;
        out.error(new Error('aborted'));
      });
      await held;
      if (signal?.aborted) return;
      out.enqueue(line({ result: { ...outcome, dryRun } }));
      out.close();
    },
  });
  return new Response(body);
}

beforeEach(() => {
  sent = [];
  refusal = null;
  refusedFields = undefined;
  outcome = report;
  offered = upload;
  undoRefusal = null;
  pastNow = past;
  held = null;
  ended = false;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(input, 'http://localhost');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    sent.push({ method, path, search, body });
    if (refusal && path.startsWith('/api/imports')) return refused(400, refusal);
    if (path.endsWith('/watch')) return answer(body.dryRun, init.signal);
    if (path.endsWith('/undo')) {
      if (undoRefusal) return refused(409, undoRefusal);
      pastNow = { ...pastNow, canUndo: false, undoneAt: '2026-03-02T09:00:00.000Z' };
      return Response.json(pastNow);
    }
    if (path === '/api/past-imports') return Response.json({ imports: [pastNow], more: false });
    if (method === 'DELETE') return Response.json({});
    const kind = new URLSearchParams(search).get('kind') ?? 'products';
    return Response.json({ ...offered, kind }, { status: method === 'POST' ? 201 : 200 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(search = '') {
  window.history.replaceState(null, '', `/import${search}`);
  const session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role: 'route_manager',
      routeDesignation: null,
    },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ImportScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const choose = async (content = 'Code,What\n1,2\n') =>
  user.upload(screen.getByLabelText('Choose a file'), new File([content], 'old.csv', { type: 'text/csv' }));
const button = (name: string | RegExp) => screen.getByRole('button', { name }) as HTMLButtonElement;
const files = () => sent.filter(({ path }) => path === '/api/imports');
const runs = () => sent.filter(({ path }) => path.endsWith('/watch')).map(({ body }) => body);

test('a file is chosen, its columns get a meaning, it is checked, then imported', async () => {
  open();
  await choose();
  expect(await screen.findByText('036000291452')).toBeTruthy();
  expect(files()).toMatchObject([
    { method: 'POST', path: '/api/imports', search: '?name=old.csv', body: expect.any(File) },
  ]);
  expect(window.location.search).toBe('?file=7&kind=products');
  expect(button('Check').disabled).toBe(true);
  expect(screen.getByText(/Still needed: Barcode or Name/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('What Code means'), 'barcode');
  expect(button('Import').disabled).toBe(true);
  await user.click(button('Check'));
  expect(await screen.findByText('What would happen')).toBeTruthy();
  expect(screen.getByText(/can be undone as a whole\.$/, { selector: 'footer p' }).textContent).toContain('13 rows');
  await user.click(button('Import'));
  expect(await screen.findByText('Imported')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open Products' }).getAttribute('href')).toBe('/products');
  const asked = { kind: 'products', map: { Code: 'barcode', What: null } };
  expect(runs()).toEqual([
    { ...asked, dryRun: true },
    { ...asked, dryRun: false },
  ]);
});

test('the report of an import that was undone says that nothing of it is here', async () => {
  pastNow = { ...past, file: 'old.csv' };
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  await user.click(button('Import'));
  expect(await screen.findByText(/This is in Milkrun now/)).toBeTruthy();
  await user.click(button('Undo the import of old.csv'));
  await user.click(button('Undo import'));
  expect(await screen.findByText(/This import was undone/)).toBeTruthy();
  expect(screen.queryByText(/This is in Milkrun now/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Open Products' })).toBeNull();
});

test('of very many refused lines 50 are shown, and all can be taken away', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  const table = await screen.findByRole('table', { name: 'Refused lines' });
  expect(within(table).getAllByRole('row')).toHaveLength(51);
  expect(screen.getByText('The first 50 of 60')).toBeTruthy();
  const all = screen.getByRole('link', { name: 'Save all 60 as CSV' });
  expect(all.getAttribute('href')).toBe('/api/imports/7/refused.csv');
  expect(screen.getByText('Line 4, 5, 6')).toBeTruthy();
  expect(screen.getByText(/above the header/)).toBeTruthy();
  expect(screen.queryByText(/more like these/)).toBeNull();
  outcome = { ...report, notes: Array.from({ length: 23 }, (_, n) => `Machine ${n} was new`) };
  await user.click(button('Check'));
  expect(await screen.findByText('3 more like these')).toBeTruthy();
});

test('a single refused line is not called all', async () => {
  outcome = { ...report, refused: { total: 1, first: [{ line: 5, reason: 'has no name' }] } };
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByRole('link', { name: 'Save it as CSV' })).toBeTruthy();
});

test('after a change the file is checked anew, and two columns cannot mean the same', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByText('What would happen')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('What What means'), 'barcode');
  expect(screen.queryByText('What would happen')).toBeNull();
  expect(screen.getByText('Code means this too: choose one')).toBeTruthy();
  expect([button('Check').disabled, button('Import').disabled]).toEqual([true, true]);
});

test('where every row is refused or none is new there is nothing to import, and it says why', async () => {
  outcome = { ...report, created: 0, updated: 0, rows: 60 };
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByText(/Every row is refused/)).toBeTruthy();
  expect(button('Import').disabled).toBe(true);
  outcome = { ...outcome, rows: 0, refused: { ...outcome.refused, total: 0 } };
  await user.click(button('Check'));
  expect(await screen.findByText(/has no rows below its header/)).toBeTruthy();
  outcome = { ...outcome, rows: 61, unchanged: 1 };
  await user.click(button('Check'));
  expect(await screen.findByText(/no row is new or changed/)).toBeTruthy();
});

test('a file may be let go as soon as it is over the place for it, and is read', async () => {
  open();
  const place = await screen.findByText('Drop a file here');
  expect(fireEvent.dragEnter(place)).toBe(false);
  expect(fireEvent.dragOver(place)).toBe(false);
  fireEvent.drop(place, { dataTransfer: { files: [new File(['Code\n1\n'], 'old.csv')] } });
  expect(await screen.findByRole('button', { name: 'Choose another file' })).toBeTruthy();
});

test('an empty file is not sent; what the server refuses is said and another file can be chosen', async () => {
  open();
  await choose('');
  expect((await screen.findByRole('alert')).textContent).toBe('old.csv is empty.');
  expect(files()).toEqual([]);
  refusal = 'old.csv is not a table: CSV, TSV and XLSX files are read.';
  await choose();
  expect(await screen.findByText(refusal)).toBeTruthy();
  refusal = null;
  await choose();
  expect(await screen.findByRole('button', { name: 'Choose another file' })).toBeTruthy();
});

test('a check that fails says that nothing was changed, and another file drops this one', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  refusal = 'old.csv stops in the middle of line 3: it is only half written.';
  await user.click(button('Check'));
  expect((await screen.findByRole('alert')).textContent).toBe(`${refusal} Nothing was changed.`);
  refusal = null;
  await user.click(button('Choose another file'));
  expect(await screen.findByText('Drop a file here')).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'DELETE')).toMatchObject([{ path: '/api/imports/7' }]);
});

test('read as sales, currency and machine can be said', async () => {
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  const currency = screen.getByLabelText(/^Currency/);
  await user.clear(currency);
  await user.type(currency, 'eur');
  await user.type(screen.getByLabelText(/^Machine ID/), 'M-1');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  expect(runs()).toMatchObject([{ kind: 'sales', currency: 'EUR', machine: 'M-1' }]);
});

test('a currency that there is not is told at its field', async () => {
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  refusal = 'There is no such currency';
  refusedFields = { currency: refusal };
  await user.click(button('Check'));
  await screen.findByRole('alert');
  const field = screen.getByLabelText(/^Currency/);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(refusal);
});

test.each([
  ['2022-01-01', '2022-08-31', '2022-01-01'],
  // A report tells at most 366 days.
  ['2024-03-01', '2025-03-23', '2024-03-23'],
])('imported sales are opened in the report of their own days: %s to %s', async (firstDay, lastDay, from) => {
  const sales = { transactions: 3, units: 3, currency: 'USD', amount: '7.50', machinesCreated: [] };
  outcome = {
    ...{ ...report, kind: 'sales', flagged: [] },
    sales: { ...sales, firstDay, lastDay },
  };
  open('?file=7&kind=sales');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  await user.click(button('Import'));
  expect((await screen.findByRole('link', { name: 'Open Reports' })).getAttribute('href')).toBe(
    `/reports?type=sales&range=custom&from=${from}&to=${lastDay}`,
  );
});

test('a file that does not say where its places are is told so, and what can be done', async () => {
  offered = {
    ...upload,
    needs: [
      ['latitude', 'geometry'],
      ['longitude', 'geometry'],
    ],
  };
  open('?file=7&kind=locations');
  expect(await screen.findByText(/add them to the file, or the places by hand/)).toBeTruthy();
  expect(button('Check').disabled).toBe(true);
});

test('a second column of one name is offered with its number, and says whose name it has', async () => {
  const second = { name: 'Code (2)', sameAs: 'Code', samples: ['12'], field: null };
  offered = { ...upload, columns: [...upload.columns, second, { ...second, name: 'Column 4', sameAs: '' }] };
  open('?file=7&kind=products');
  expect(await screen.findByText('Another column called Code')).toBeTruthy();
  expect(screen.getByText('Has no name in the file')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('What Code (2) means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  expect(runs()).toMatchObject([{ map: { Code: null, 'Code (2)': 'barcode' } }]);
});

test.each([
  [
    ['latitude', 'longitude'],
    ['longitude', 'latitude'],
  ],
  [
    ['geometry', 'name'],
    ['latitudeFirst', 'name'],
  ],
])('points that look swapped are said, and %j becomes %j by one button, checked anew', async (found, after) => {
  const columns = found.map((field, n) => ({ name: `C${n}`, sameAs: null, samples: ['1'], field }));
  offered = { ...upload, fields: ['name', 'latitude', 'longitude', 'geometry', 'latitudeFirst'], needs: [], columns };
  outcome = { ...report, kind: 'locations', swapped: true };
  open('?file=7&kind=locations');
  await user.click(await screen.findByRole('button', { name: 'Check' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Latitude and longitude look swapped');
  outcome = { ...outcome, swapped: false };
  await user.click(button('Swap them'));
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(runs()).toMatchObject([
    { dryRun: true, map: { C0: found[0], C1: found[1] } },
    { dryRun: true, map: { C0: after[0], C1: after[1] } },
  ]);
  expect((screen.getByLabelText('What C0 means') as HTMLSelectElement).value).toBe(after[0]);
});

test('an import under way says how far it is, and cancelled it imports nothing', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  let go = (): void => {};
  held = new Promise((resolve) => {
    go = resolve;
  });
  await user.click(button('Import'));
  expect(await screen.findByText('40 of 75 rows done')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Rows done' }).getAttribute('aria-valuenow')).toBe('40');
  await user.click(button('Cancel'));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Cancelled. Look under Past imports whether it was done in its last moment.',
  );
  expect(screen.queryByText('Imported')).toBeNull();
  go();
});

test('leaving the page ends an import under way', async () => {
  const screenLeft = open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  held = new Promise(() => {});
  await user.click(button('Import'));
  await screen.findByText('40 of 75 rows done');
  expect(ended).toBe(false);
  screenLeft.unmount();
  expect(ended).toBe(true);
});

test('past imports that did not load are named', async () => {
  vi.stubGlobal('fetch', async () => refused(500, 'The server failed.'));
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('Past imports did not load');
});

test('past imports are listed with who, when and figures; an undo is asked for, and a refusal is said', async () => {
  open();
  const list = await screen.findByRole('list', { name: 'Past imports' });
  expect(list.textContent).toContain('spring.csv');
  expect(list.textContent).toContain('Ann Lee');
  expect(list.textContent).toContain('5 new, 2 changed, 1 unchanged, 1 refused');
  await user.click(button('Undo the import of spring.csv'));
  undoRefusal = 'This import cannot be undone: 1 product of it is no longer as it left them: Tea (changed since).';
  await user.click(button('Undo import'));
  expect((await screen.findByRole('alert')).textContent).toBe(undoRefusal);
  undoRefusal = null;
  await user.click(button('Undo import'));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter(({ path }) => path === '/api/past-imports/4/undo')).toHaveLength(2);
});
