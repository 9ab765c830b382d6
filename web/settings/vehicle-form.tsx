import { useId } from 'react';
import type { Depot, Vehicle } from '../../contract/settings.ts';
import { typedVehicle, type VehicleTyped } from '../../domain/fleet-form.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useForm } from '../ui/form.ts';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSaveVehicle } from './api.ts';

const textOf = (value: string | number | null): string => (value === null ? '' : String(value));

function typedOf(vehicle: Vehicle | null): VehicleTyped {
  const { name, licensePlate, depotId, capacityTotes } = vehicle ?? {
    ...{ name: '', licensePlate: null, depotId: null, capacityTotes: null },
  };
  return { name, licensePlate: textOf(licensePlate), depotId: textOf(depotId), capacityTotes: textOf(capacityTotes) };
}

type Props = { vehicle: Vehicle | null; depots: readonly Depot[]; onClose: () => void };

/** Adds a vehicle, or changes the one given. Mount it to open it. */
export function VehicleForm({ vehicle, depots, onClose }: Props) {
  const id = useId();
  const save = useSaveVehicle(vehicle);
  const form = useForm({
    schema: typedVehicle,
    initial: typedOf(vehicle),
    onSubmit: async (input) => {
      await save.mutateAsync(input);
      onClose();
    },
  });
  const { field } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      title={vehicle ? `Edit ${vehicle.name}` : 'Add Vehicle'}
      footer={
        <FormButtons
          form={id}
          submitLabel={vehicle ? 'Save Vehicle' : 'Add Vehicle'}
          pending={form.pending}
          onCancel={onClose}
        />
      }
    >
      <form id={id} noValidate onSubmit={form.submit} className="grid grid-cols-2 items-start gap-4 pt-2">
        <TextField className="col-span-2" label="Name" required {...field('name')} />
        <TextField label="License plate" autoComplete="off" {...field('licensePlate')} />
        <TextField label="Capacity" unit="totes" inputMode="numeric" {...field('capacityTotes')} />
        <Select
          className="col-span-2"
          label="Starts from"
          value={form.values.depotId}
          error={form.errorOf('depotId')}
          onChange={(value) => form.set('depotId', value)}
          options={[
            { value: '', label: 'The default depot' },
            ...depots.map((depot) => ({ value: String(depot.id), label: depot.name })),
          ]}
        />
        {form.failure && (
          <p role="alert" className="col-span-2 text-bad-text">
            {form.failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}
