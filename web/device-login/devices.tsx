import { useMemo, useState } from 'react';
import type { DeviceRow } from '../../contract/devices.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { byName, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { typeLabel, useDevicePage, useRevokeDevice } from './api.ts';
import { PairDialog } from './pair-dialog.tsx';

const usualSort = '-activity';

/** Every device that was signed in: pair another, see when each was used last, shut one out. */
export function Devices({ route = null }: { route?: string | null }) {
  const { get, set } = useAddress();
  const search = get('device') ?? '';
  const sort = get('sort') ?? usualSort;
  const [pairs, setPairs] = useState(false);
  const [revoked, setRevoked] = useState<DeviceRow | null>(null);
  const revoke = useRevokeDevice();
  const mayRevoke = useMay('people:manage');
  const list = useDevicePage({ search, route, sort }, get('page'));
  const columns = useMemo(() => (mayRevoke ? [...shown, actions(setRevoked)] : shown), [mayRevoke]);
  const pair = (
    <Button variant="primary" icon="plus" onClick={() => setPairs(true)} className="max-lg:min-h-12">
      Pair a Device
    </Button>
  );
  return (
    <Card
      title="Devices"
      {...(list.data ? { count: list.data.total } : {})}
      actions={
        <>
          <div className="w-64 max-sm:w-full">
            <AddressSearch name="device" label="Search devices" placeholder="Search name, person, route..." />
          </div>
          {(search !== '' || list.data?.total !== 0) && pair}
        </>
      }
    >
      {list.error && !list.data ? (
        <FailedPage list={list} title="Devices did not load" />
      ) : (
        <PagedTable
          label="Devices"
          page={list.data}
          waiting={list.isPlaceholderData}
          columns={columns}
          rowKey={(row) => row.id}
          sort={sort}
          onSort={(by) => set({ sort: by === usualSort ? null : by, page: null })}
          onPage={(page) => set({ page })}
          empty={
            <StateView
              icon="phone"
              title={search ? 'No device matches' : 'No device was paired yet'}
              text={search ? 'Search for something else.' : 'Issue a code here and enter it on the tablet or phone.'}
              action={search ? <ClearFilters onClear={() => set({ device: null, page: null })} /> : pair}
            />
          }
        />
      )}
      {pairs && <PairDialog onClose={() => setPairs(false)} />}
      {revoked && (
        <ConfirmDialog
          open
          onClose={() => setRevoked(null)}
          title={`Revoke ${revoked.deviceName}?`}
          confirmLabel="Revoke Device"
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate(revoked, { onSettled: () => setRevoked(null) })}
        >
          <p>
            {typeLabel(revoked.deviceType)} of {revoked.worker}, route {revoked.routeDesignation}. It is signed out at
            once. What it has not sent stays on it until somebody signs in on it again.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

const shown: readonly PagedColumn<DeviceRow>[] = [
  {
    ...{ key: 'name', header: 'Device', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="grid py-1">
        <span className="truncate font-medium">{row.deviceName}</span>
        <span className="truncate text-12 text-text-3">
          {typeLabel(row.deviceType)}
          {!row.isActive && <span className="md:hidden">, ended</span>}
        </span>
        <span className="whitespace-normal break-words text-12 text-text-3 md:hidden">
          {row.worker}, route {row.routeDesignation}
        </span>
        <span className="truncate text-12 text-text-3 md:hidden">{formatDateTime(row.lastActivity)}</span>
      </span>
    ),
  },
  {
    key: 'worker',
    header: 'Operator',
    sortBy: 'worker',
    orders: byName,
    className: 'max-md:hidden',
    cell: (row) => row.worker,
  },
  {
    key: 'route',
    header: 'Route',
    sortBy: 'route',
    orders: byName,
    className: 'w-24 max-md:hidden',
    cell: (row) => row.routeDesignation,
  },
  {
    ...{ key: 'status', header: 'Status', className: 'w-28 max-md:hidden' },
    cell: (row) => <Badge tone={row.isActive ? 'ok' : 'idle'}>{row.isActive ? 'Active' : 'Ended'}</Badge>,
  },
  {
    ...{
      key: 'activity',
      header: 'Last activity',
      sortBy: 'activity',
      orders: byTime,
      className: 'w-48 max-md:hidden',
    },
    cell: (row) => formatDateTime(row.lastActivity),
  },
  { key: 'from', header: 'Address', className: 'w-36 max-lg:hidden', cell: (row) => row.ipAddress ?? 'Not known' },
];

const actions = (onRevoke: (row: DeviceRow) => void): PagedColumn<DeviceRow> => ({
  key: 'actions',
  header: 'Actions',
  align: 'right',
  className: 'w-28 print:hidden',
  cell: (row) =>
    row.isActive && (
      <Button onClick={() => onRevoke(row)} className="max-lg:min-h-12" aria-label={`Revoke ${row.deviceName}`}>
        Revoke
      </Button>
    ),
});
