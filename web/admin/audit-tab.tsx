import { useMemo, useState } from 'react';
import type { AuditLine } from '../../contract/audit.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { dayOf } from '../ui/address/day-of.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { Select } from '../ui/forms/select.tsx';
import { StateView } from '../ui/state-view.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { type AuditFilter, loadAuditPage, useAuditChoices, useAuditLog, useVerifyAuditLog } from './api.ts';
import { AuditDetail } from './audit-detail.tsx';
import { actionInWords, objectInWords } from './audit-words.ts';

const nobody = '0';

/** Who did what, when, from where; the newest first. */
export function AuditTab({ search }: { search: string }) {
  const { get, set } = useAddress();
  const [opened, setOpened] = useState<AuditLine | null>(null);
  const filter: AuditFilter = {
    search,
    actor: get('actor'),
    action: get('action'),
    objectType: get('object'),
    from: dayOf(get('from')),
    until: dayOf(get('until')),
  };
  const sort = get('sort') ?? '-at';
  const withMore = useMemo(() => [...columns, more(setOpened)], []);
  const list = useAuditLog(filter, { sort, page: get('page') });
  return (
    <>
      <Filters filter={filter} total={list.data?.total} />
      {list.error && !list.data ? (
        <FailedPage list={list} title="The audit log did not load" />
      ) : (
        <PagedTable
          label="Audit log"
          page={list.data}
          waiting={list.isPlaceholderData}
          columns={withMore}
          rowKey={(row) => row.id}
          sort={sort}
          onSort={(by) => set({ sort: by === '-at' ? null : by, page: null })}
          onPage={(page) => set({ page })}
          empty={
            <StateView icon="history" title="Nothing was recorded" text="Choose another person, action or date." />
          }
        />
      )}
      {opened && <AuditDetail line={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Filters({ filter, total }: { filter: AuditFilter; total: number | undefined }) {
  const { set } = useAddress();
  const choices = useAuditChoices().data;
  const to = (name: string) => (value: string) => set({ [name]: value || null, page: null });
  return (
    <div className="flex flex-wrap items-end gap-2 border-line border-b px-4 py-2">
      <Select
        label="Person"
        className="w-44 max-sm:w-full"
        value={filter.actor ?? ''}
        onChange={to('actor')}
        options={[
          { value: '', label: 'Everybody' },
          { value: nobody, label: 'Nobody signed in' },
          ...(choices?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <Select
        label="Action"
        className="w-48 max-sm:w-full"
        value={filter.action ?? ''}
        onChange={to('action')}
        options={[
          { value: '', label: 'All actions' },
          ...(choices?.actions ?? []).map((value) => ({ value, label: actionInWords(value) })),
        ]}
      />
      <Select
        label="Object"
        className="w-40 max-sm:w-full"
        value={filter.objectType ?? ''}
        onChange={to('object')}
        options={[
          { value: '', label: 'All objects' },
          ...(choices?.objectTypes ?? []).map((value) => ({ value, label: objectInWords(value) })),
        ]}
      />
      <div className="flex gap-2 max-sm:w-full">
        <DayField
          label="From"
          empty="Any day"
          className="w-36 max-sm:flex-1"
          value={filter.from ?? ''}
          onChange={to('from')}
        />
        <DayField
          label="Until"
          empty="Any day"
          className="w-36 max-sm:flex-1"
          value={filter.until ?? ''}
          onChange={to('until')}
        />
      </div>
      <span className="ml-auto flex flex-wrap justify-end gap-2">
        <VerifyButton />
        <ExportButton exported={toExport(filter)} total={total} />
      </span>
    </div>
  );
}

function VerifyButton() {
  const verify = useVerifyAuditLog();
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {verify.data && (
        <span role="status" className={verify.data.broken ? 'text-bad-text' : 'text-ok-text'}>
          {verify.data.broken ?? intact(verify.data)}
        </span>
      )}
      <Button
        icon="check"
        pending={verify.isPending}
        pendingLabel="Checking..."
        onClick={() => verify.mutate()}
        className="max-lg:min-h-12"
      >
        Check Chain
      </Button>
    </span>
  );
}

const intact = ({ lines, purged }: { lines: number; purged: number }): string =>
  `${countOf(lines, 'line is', 'lines are')} as ${lines === 1 ? 'it was' : 'they were'} written.${
    purged > 0 ? ` ${formatNumber(purged)} before them were removed when they were two years old.` : ''
  }`;

const toExport = (filter: AuditFilter): Exported<AuditLine> => ({
  name: 'audit-log',
  one: 'line',
  many: 'lines',
  load: (page) => loadAuditPage(filter, page),
  columns: [
    { header: 'Number', value: (row) => row.id },
    { header: 'When (UTC)', value: (row) => row.at },
    { header: 'Who', value: (row) => row.actor },
    { header: 'Action', value: (row) => row.action },
    { header: 'Object type', value: (row) => row.objectType },
    { header: 'Object id', value: (row) => row.objectId },
    { header: 'Object', value: (row) => row.object },
    { header: 'From where', value: (row) => row.address },
    { header: 'Detail', value: (row) => row.detail },
    { header: 'Hash', value: (row) => row.hash },
  ],
});

const whoOf = (row: AuditLine): string => row.actor ?? (row.address ? 'Not signed in' : 'Milkrun itself');

const columns: readonly PagedColumn<AuditLine>[] = [
  {
    key: 'at',
    header: 'When',
    sortBy: 'at',
    orders: byTime,
    className: 'w-48 max-md:hidden',
    cell: (row) => formatDateTime(row.at),
  },
  { key: 'who', header: 'Who', className: 'w-44 max-md:hidden', cell: whoOf },
  {
    ...{ key: 'action', header: 'What' },
    cell: (row) => (
      <span className="grid">
        <span className="truncate font-medium">{actionInWords(row.action)}</span>
        {row.objectType === 'call' && <span className="truncate text-12 text-text-2 lg:hidden">{row.object}</span>}
        <span className="truncate text-12 text-text-3 md:hidden">
          {whoOf(row)} · {formatDateTime(row.at)}
        </span>
      </span>
    ),
  },
  {
    ...{ key: 'object', header: 'Object', className: 'max-lg:hidden' },
    cell: (row) =>
      row.objectType ? (
        <span className="line-clamp-2 break-words whitespace-normal" title={row.object ?? undefined}>
          {objectInWords(row.objectType)} <span className="text-text-2">{row.object ?? row.objectId}</span>
        </span>
      ) : null,
  },
  { key: 'address', header: 'From where', className: 'w-36 max-xl:hidden', cell: (row) => row.address },
];

const more = (open: (line: AuditLine) => void): PagedColumn<AuditLine> => ({
  key: 'more',
  header: 'Actions',
  align: 'right',
  className: 'w-20 print:hidden',
  cell: (row) => (
    <IconButton label={`Details of line ${row.id}`} icon="eye" className="max-lg:size-12" onClick={() => open(row)} />
  ),
});
