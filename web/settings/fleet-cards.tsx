import { type ReactNode, useState } from 'react';
import type { Depot, Vehicle } from '../../contract/settings.ts';
import { useMay } from '../auth/api.ts';
import { countOf } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useRemove } from './api.ts';
import { DepotForm } from './depot-form.tsx';
import { VehicleForm } from './vehicle-form.tsx';

type Opened<R> = { what: 'add' } | { what: 'edit' | 'remove'; row: R };

export function DepotsCard({ depots }: { depots: readonly Depot[] }) {
  const { get, set } = useAddress();
  const [chosen, setOpened] = useState<Opened<Depot> | null>(null);
  // An address may open the form itself.
  const opened = chosen ?? (get('add') === 'depot' ? { what: 'add' as const } : null);
  const close = (): void => {
    setOpened(null);
    if (get('add')) set({ add: null });
  };
  return (
    <Card
      title="Depots"
      count={depots.length}
      actions={<Add onClick={() => setOpened({ what: 'add' })}>Add Depot</Add>}
    >
      {depots.length === 0 && (
        <StateView
          icon="pin"
          title="No depot yet"
          text="Routes start and end at a depot. Add yours before you plan one."
        />
      )}
      <ul>
        {depots.map((depot) => (
          <Row
            key={depot.id}
            name={depot.name}
            detail={depot.address}
            badge={depot.isDefault && <Badge tone="run">Default</Badge>}
            onEdit={() => setOpened({ what: 'edit', row: depot })}
            onRemove={() => setOpened({ what: 'remove', row: depot })}
          />
        ))}
      </ul>
      {opened?.what === 'add' && <DepotForm depot={null} isFirst={depots.length === 0} onClose={close} />}
      {opened?.what === 'edit' && <DepotForm depot={opened.row} onClose={close} />}
      {opened?.what === 'remove' && <RemoveDialog what="depot" row={opened.row} onClose={close} />}
    </Card>
  );
}

type VehiclesProps = { vehicles: readonly Vehicle[]; depots: readonly Depot[] };

export function VehiclesCard({ vehicles, depots }: VehiclesProps) {
  const [opened, setOpened] = useState<Opened<Vehicle> | null>(null);
  const close = (): void => setOpened(null);
  const detailOf = ({ licensePlate, depotId, capacityTotes }: Vehicle): string =>
    [
      licensePlate,
      `from ${depots.find(({ id }) => id === depotId)?.name ?? 'the default depot'}`,
      capacityTotes === null ? 'capacity not set' : countOf(capacityTotes, 'tote'),
    ]
      .filter(Boolean)
      .join(', ');
  return (
    <Card
      title="Vehicles"
      count={vehicles.length}
      actions={<Add onClick={() => setOpened({ what: 'add' })}>Add Vehicle</Add>}
    >
      {vehicles.length === 0 && (
        <StateView
          icon="truck"
          title="No vehicle yet"
          text="With a capacity in totes, a plan loads no more than fits."
        />
      )}
      <ul>
        {vehicles.map((vehicle) => (
          <Row
            key={vehicle.id}
            name={vehicle.name}
            detail={detailOf(vehicle)}
            onEdit={() => setOpened({ what: 'edit', row: vehicle })}
            onRemove={() => setOpened({ what: 'remove', row: vehicle })}
          />
        ))}
      </ul>
      {opened?.what === 'add' && <VehicleForm vehicle={null} depots={depots} onClose={close} />}
      {opened?.what === 'edit' && <VehicleForm vehicle={opened.row} depots={depots} onClose={close} />}
      {opened?.what === 'remove' && <RemoveDialog what="vehicle" row={opened.row} onClose={close} />}
    </Card>
  );
}

function Add({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return useMay('office:write') ? (
    <Button icon="plus" onClick={onClick} className="max-lg:min-h-12">
      {children}
    </Button>
  ) : null;
}

type RowProps = { name: string; detail: string; badge?: ReactNode; onEdit: () => void; onRemove: () => void };

function Row({ name, detail, badge, onEdit, onRemove }: RowProps) {
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  return (
    <li className="flex min-h-12 items-center gap-2 border-line border-b px-4 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {badge}
        </p>
        <p className="break-words text-12 text-text-3">{detail}</p>
      </div>
      {mayWrite && <IconButton label={`Edit ${name}`} icon="edit" onClick={onEdit} className="max-lg:size-12" />}
      {mayRemove && <IconButton label={`Delete ${name}`} icon="trash" onClick={onRemove} className="max-lg:size-12" />}
    </li>
  );
}

type RemoveProps = { what: 'depot' | 'vehicle'; row: { id: number; name: string }; onClose: () => void };

function RemoveDialog({ what, row, onClose }: RemoveProps) {
  const remove = useRemove(what);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${row.name}?`}
      description={
        what === 'depot'
          ? 'Past routes keep their figures. It cannot be undone.'
          : 'Past routes keep the name of the driver, not of the vehicle. It cannot be undone.'
      }
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            variant="danger"
            pending={remove.isPending}
            pendingLabel="Deleting..."
            onClick={() => remove.mutate(row.id, { onSettled: onClose })}
            className="max-lg:min-h-12"
          >
            Delete
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
