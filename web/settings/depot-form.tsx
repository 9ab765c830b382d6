import type { Depot } from '../../contract/settings.ts';
import { depotInput } from '../../domain/fleet.ts';
import { PositionFields } from '../markets/position-fields.tsx';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadDepot, useSaveDepot } from './api.ts';

const fresh = { name: '', address: '', latitude: '', longitude: '', isDefault: false };
const labels = {
  ...{ name: 'Name', address: 'Address', latitude: 'Latitude', longitude: 'Longitude' },
  isDefault: 'Routes start here',
};
type Values = Record<keyof typeof labels, string>;

const worded = ({ name, address, latitude, longitude, isDefault }: typeof fresh): Values => ({
  ...{ name, address, latitude, longitude },
  isDefault: isDefault ? yes : 'No',
});
const yes = 'Yes';

type Props = { depot: Depot | null; isFirst?: boolean; onClose: () => void };

/** Adds a depot, or changes the one given. Mount it to open it. */
export function DepotForm({ depot, isFirst = false, onClose }: Props) {
  const { base, conflict, rebase, take } = useRebase(depot, {
    valuesOf: worded,
    labels,
    loadNewest: (one) => loadDepot(one.id),
  });
  const save = useSaveDepot(base);
  const { id: _, version: __, ...stored } = depot ?? { id: 0, version: 0, ...fresh, isDefault: isFirst };
  const form = useForm({
    schema: depotInput,
    initial: stored,
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        await rebase(error, { values: worded(form.values), set });
        throw error;
      }
      onClose();
    },
  });
  const { field } = form;
  const set = (name: keyof Values, value: string): void =>
    name === 'isDefault' ? form.set(name, value === yes) : form.set(name, value);
  return (
    <RecordDialog
      noun="Depot"
      name={depot?.name}
      form={form}
      conflict={conflict}
      onTake={(change) => take(change, { set })}
      onClose={onClose}
    >
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
