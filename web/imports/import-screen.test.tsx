import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import {
  button,
  choose,
  files,
  open,
  past,
  refused,
  report,
  runs,
  server,
  withImportServer,
} from './testing/import-server.tsx';

const user = userEvent.setup();
withImportServer();

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
  server.pastNow = { ...past, file: 'old.csv' };
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
  server.outcome = { ...report, notes: Array.from({ length: 23 }, (_, n) => `Machine ${n} was new`) };
  await user.click(button('Check'));
  expect(await screen.findByText('3 more like these')).toBeTruthy();
});

test('a single refused line is not called all', async () => {
  server.outcome = { ...report, refused: { total: 1, first: [{ line: 5, reason: 'has no name' }] } };
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByRole('link', { name: 'Save it as CSV' })).toBeTruthy();
});

test('where every row is refused or none is new there is nothing to import, and it says why', async () => {
  server.outcome = { ...report, created: 0, updated: 0, rows: 60 };
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  expect(await screen.findByText(/Every row is refused/)).toBeTruthy();
  expect(button('Import').disabled).toBe(true);
  server.outcome = { ...server.outcome, rows: 0, refused: { ...server.outcome.refused, total: 0 } };
  await user.click(button('Check'));
  expect(await screen.findByText(/has no rows below its header/)).toBeTruthy();
  server.outcome = { ...server.outcome, rows: 61, unchanged: 1 };
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
  server.refusal = 'old.csv is not a table: CSV, TSV and XLSX files are read.';
  await choose();
  expect(await screen.findByText(server.refusal)).toBeTruthy();
  server.refusal = null;
  await choose();
  expect(await screen.findByRole('button', { name: 'Choose another file' })).toBeTruthy();
});

test('a check that fails says that nothing was changed, and another file drops this one', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  server.refusal = 'old.csv stops in the middle of line 3: it is only half written.';
  await user.click(button('Check'));
  expect((await screen.findByRole('alert')).textContent).toBe(`${server.refusal} Nothing was changed.`);
  server.refusal = null;
  await user.click(button('Choose another file'));
  expect(await screen.findByText('Drop a file here')).toBeTruthy();
  expect(server.sent.filter(({ method }) => method === 'DELETE')).toMatchObject([{ path: '/api/imports/7' }]);
});

test('an import under way says how far it is, and cancelled it imports nothing', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  let go = (): void => {};
  server.held = new Promise((resolve) => {
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

test('an import whose answer got lost is looked for among the past ones', async () => {
  open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  server.isLost = true;
  server.pastNow = { ...past, id: 5, file: 'old.csv' };
  await user.click(button('Import'));
  expect((await screen.findByRole('alert')).textContent).toContain('Check again to see what is there.');
  await waitFor(() => expect(screen.getByRole('list', { name: 'Past imports' }).textContent).toContain('old.csv'));
});

test('a file that did not get through is sent again without being chosen again', async () => {
  open();
  server.isLost = true;
  await choose();
  expect((await screen.findByRole('alert')).textContent).toContain('old.csv was not sent');
  server.isLost = false;
  await user.click(button('Send it again'));
  expect(await screen.findByText('Columns')).toBeTruthy();
  expect(files()).toHaveLength(2);
});

test('leaving the page ends an import under way', async () => {
  const screenLeft = open('?file=7&kind=products');
  await user.selectOptions(await screen.findByLabelText('What Code means'), 'barcode');
  await user.click(button('Check'));
  await screen.findByText('What would happen');
  server.held = new Promise(() => {});
  await user.click(button('Import'));
  await screen.findByText('40 of 75 rows done');
  expect(server.ended).toBe(false);
  screenLeft.unmount();
  expect(server.ended).toBe(true);
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
  server.undoRefusal =
    'This import cannot be undone: 1 product of it is no longer as it left them: Tea (changed since).';
  await user.click(button('Undo import'));
  expect((await screen.findByRole('alert')).textContent).toBe(server.undoRefusal);
  server.undoRefusal = null;
  await user.click(button('Undo import'));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.sent.filter(({ path }) => path === '/api/past-imports/4/undo')).toHaveLength(2);
});

test.each([
  [false, 'One line a place, with latitude and longitude; a line with a Machine ID is a machine. Import these first.'],
  [
    true,
    'One line a place, with latitude and longitude or an address; a line with a Machine ID is a machine. Import these first.',
  ],
])('with an address search (%s) places may come with an address alone', async (findsAddresses, hint) => {
  open('', { findsAddresses });
  await user.selectOptions(await screen.findByLabelText('What the file holds'), 'locations');
  expect(screen.getByText(hint)).toBeTruthy();
});
