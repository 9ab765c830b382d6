import { useState } from 'react';
import type { VendingMachine } from '../../contract/machines.ts';
import type { Market } from '../../contract/markets.ts';
import type { LocationRef } from '../../domain/location.ts';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime } from '../http/format.ts';
import { toLatLng } from '../http/parse.ts';
import { navigateLink } from '../map/directions-link.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Breadcrumb } from '../ui/address/breadcrumb.tsx';
import { lateDialog } from '../ui/address/late-code.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';

const MachineForm = lateDialog(
  'Vending Machine',
  async () => (await import('../machines/machine-form.tsx')).MachineForm,
);
const MarketForm = lateDialog('Market', async () => (await import('../markets/market-form.tsx')).MarketForm);
const ManageInventory = lateDialog(
  'Manage Inventory',
  async () => (await import('../machines/manage-inventory.tsx')).ManageInventory,
);

/** A location as its page opens with it: one of the two records, and how it is spoken of. */
export type Head = {
  record: { type: 'market'; market: Market } | { type: 'vending_machine'; machine: VendingMachine };
  number: string;
  where: readonly (string | null)[];
  facts: readonly (string | null)[];
};

type Props = { place: LocationRef; head: Head };

export const lists = {
  market: { href: '/markets', label: 'Markets' },
  vending_machine: { href: '/vending-machines', label: 'Vending Machines' },
};

const spaced = (texts: readonly (string | null)[]): string => texts.filter(Boolean).join(', ');
const wide = 'max-lg:min-h-12';

export function LocationHead({ place, head }: Props) {
  const { record, number } = head;
  const data = record.type === 'market' ? record.market : record.machine;
  const lastSeen = record.type === 'market' ? null : record.machine.lastSeen;
  return (
    <header className="grid grid-cols-1 gap-2">
      <Breadcrumb list={lists[place.type]} here={number} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="min-w-0">{data.name}</h1>
        <Actions place={place} head={head} />
      </div>
      <p className="flex flex-wrap items-center gap-x-6 gap-y-1 text-text-2">
        <LocationStatusBadge status={data.status} />
        <span className="min-w-0">{spaced(head.where)}</span>
        {data.routeDesignation && <span className="font-medium text-text">Route {data.routeDesignation}</span>}
        {spaced(head.facts) && <span className="min-w-0">{spaced(head.facts)}</span>}
        {lastSeen && (
          <span title={formatDateTime(lastSeen)}>
            Last seen <span className="font-medium text-text">{relativeTime(new Date(lastSeen), new Date())}</span>
          </span>
        )}
      </p>
    </header>
  );
}

function Actions({ place, head: { record } }: Props) {
  const mayWrite = useMay('office:write');
  const [opened, setOpened] = useState<'edit' | 'inventory' | null>(null);
  const close = (): void => setOpened(null);
  const data = record.type === 'market' ? record.market : record.machine;
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <a
        href={navigateLink(toLatLng(data), data.name, navigator)}
        target="_blank"
        rel="noreferrer"
        className={`${buttonClass()} ${wide}`}
      >
        <Icon name="navigate" />
        Navigate
      </a>
      <AppLink href={`/mobile-inventory?type=${place.type}&id=${place.id}`} className={`${buttonClass()} ${wide}`}>
        <Icon name="scan" />
        Count
      </AppLink>
      {mayWrite && (
        <Button icon="edit" className={wide} onClick={() => setOpened('edit')}>
          Edit
        </Button>
      )}
      {record.type === 'vending_machine' && (
        <Button icon="box" className={wide} onClick={() => setOpened('inventory')}>
          Manage Inventory
        </Button>
      )}
      {opened === 'edit' && record.type === 'market' && <MarketForm market={record.market} onClose={close} />}
      {opened === 'edit' && record.type === 'vending_machine' && (
        <MachineForm machine={record.machine} onClose={close} />
      )}
      {opened === 'inventory' && record.type === 'vending_machine' && (
        <ManageInventory machine={record.machine} onClose={close} />
      )}
    </div>
  );
}
