import type { Depot, Vehicle } from '../../contract/settings.ts';
import { typedVehicle, type VehicleTyped } from '../../domain/fleet-form.ts';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadVehicle, useSaveVehicle } from './api.ts';

const labels = { name: 'Name', licensePlate: 'License plate', capacityTotes: 'Capacity', depotId: 'Starts from' };

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
  const { base, conflict, rebase, take } = useRebase(vehicle, {
    valuesOf: typedOf,
    labels,
    loadNewest: (one) => loadVehicle(one.id),
  });
  const save = useSaveVehicle(base);
  const form = useForm({
    schema: typedVehicle,
    initial: typedOf(vehicle),
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        await rebase(error, form);
        throw error;
      }
      onClose();
    },
  });
  const { field } = form;
  return (
    <RecordDialog
      noun="Vehicle"
      name={vehicle?.name}
      form={form}
      conflict={conflict}
      onTake={(change) => take(change, form)}
      onClose={onClose}
    >
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
    </RecordDialog>
  );
}
