import type { Depot } from '../../contract/settings.ts';
import { depotInput } from '../../domain/fleet.ts';
import { PositionFields } from '../markets/position-fields.tsx';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useSaveDepot } from './api.ts';

const fresh = { name: '', address: '', latitude: '', longitude: '', isDefault: false };

type Props = { depot: Depot | null; isFirst?: boolean; onClose: () => void };

/** Adds a depot, or changes the one given. Mount it to open it. */
export function DepotForm({ depot, isFirst = false, onClose }: Props) {
  const save = useSaveDepot(depot);
  const { id: _, ...stored } = depot ?? { id: 0, ...fresh, isDefault: isFirst };
  const form = useForm({
    schema: depotInput,
    initial: stored,
    onSubmit: async (input) => {
      await save.mutateAsync(input);
      onClose();
    },
  });
  const { field } = form;
  return (
    <RecordDialog noun="Depot" name={depot?.name} form={form} onClose={onClose}>
      <TextField className="col-span-2" label="Name" required {...field('name')} />
      <TextField className="col-span-2" label="Address" required {...field('address')} />
      <PositionFields
        latitude={field('latitude')}
        longitude={field('longitude')}
        name={form.values.name || 'The depot'}
        address={form.values.address}
        onPosition={({ lat, lng }) => {
          form.set('latitude', lat);
          form.set('longitude', lng);
        }}
      />
      <label className="col-span-2 flex min-h-8 items-center gap-2 max-lg:min-h-12">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={form.values.isDefault}
          onChange={({ target }) => form.set('isDefault', target.checked)}
        />
        Routes start here unless a vehicle says otherwise
      </label>
    </RecordDialog>
  );
}
