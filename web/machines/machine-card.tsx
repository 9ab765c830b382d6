import { memo } from 'react';
import type { VendingMachine } from '../../contract/machines.ts';
import { addressText } from '../../domain/place.ts';
import { useMay } from '../auth/api.ts';
import { formatDate, formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Flag } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';

export type Opened = { what: 'form' | 'inventory' | 'remove'; machine: VendingMachine };

type Props = { machine: VendingMachine; onOpen: (opened: Opened) => void };

/** One machine of the grid: what it is, how full it is, and what can be done. */
export const MachineCard = memo(function MachineCard({ machine, onOpen }: Props) {
  const { name, machineId, location, routeDesignation } = machine;
  const address = addressText(machine);
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded border border-line bg-ground p-4 [contain-intrinsic-size:auto_252px] [content-visibility:auto]">
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0">
          <AppLink href={`/vending-machines/${machine.id}`} className="text-link block lg:line-clamp-2">
            {name}
          </AppLink>
        </h2>
        <LocationStatusBadge status={machine.status} />
      </div>
      <p className="text-text-2">
        <span className="line-clamp-1" title={address}>
          {address}
        </span>
        <span className="line-clamp-1" title={location}>
          {location}
        </span>
        <span className="block text-12 text-text-3">
          {machineId}
          {routeDesignation && ` · Route ${routeDesignation}`}
        </span>
      </p>
      <Stock machine={machine} />
      <div className="mt-auto flex items-center gap-1">
        <Button
          icon="box"
          className="min-w-0 flex-1 max-lg:min-h-12"
          aria-label={`Manage Inventory of ${name}`}
          onClick={() => onOpen({ what: 'inventory', machine })}
        >
          Manage Inventory
        </Button>
        <CardActions machine={machine} onOpen={onOpen} />
      </div>
    </li>
  );
});

function CardActions({ machine, onOpen }: Props) {
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  return (
    <>
      {mayWrite && (
        <IconButton
          label={`Edit ${machine.name}`}
          icon="edit"
          className="max-lg:size-12"
          onClick={() => onOpen({ what: 'form', machine })}
        />
      )}
      {mayRemove && (
        <IconButton
          label={`Delete ${machine.name}`}
          icon="trash"
          className="max-lg:size-12"
          onClick={() => onOpen({ what: 'remove', machine })}
        />
      )}
    </>
  );
}

function Stock({ machine }: { machine: VendingMachine }) {
  const { currentStock, capacity, emptySlots, lowSlots, lastRestocked } = machine;
  const share = Math.min(100, Math.round((100 * currentStock) / Math.max(1, capacity)));
  const low = lowSlots - emptySlots;
  return (
    <div className="grid gap-2">
      <div className="flex items-baseline justify-between gap-2">
        <span className="font-semibold text-16">
          {currentStock}/{capacity}
        </span>
        <span className="flex gap-3 text-12">
          {emptySlots > 0 && <Flag tone="bad">{emptySlots} empty</Flag>}
          {low > 0 && <Flag tone="warn">{low} low</Flag>}
        </span>
      </div>
      <div className="h-1.5 overflow-hidden rounded-[2px] bg-idle-soft">
        <div className="h-full bg-series-1" style={{ width: `${share}%` }} />
      </div>
      <p className="text-12 text-text-3">
        Last restocked{' '}
        {lastRestocked ? (
          <time dateTime={lastRestocked} title={formatDateTime(lastRestocked)}>
            {formatDate(lastRestocked)}
          </time>
        ) : (
          'never'
        )}
      </p>
    </div>
  );
}
