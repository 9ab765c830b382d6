import { type FormEvent, useState } from 'react';
import type { Designation } from '../../contract/settings.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { TextField } from '../ui/forms/text-field.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useRetireDesignation, useSaveDesignation } from './api.ts';

type Props = { designations: readonly Designation[]; mayChange: boolean };

/** The names of routes that places and people carry. */
export function DesignationsCard({ designations, mayChange }: Props) {
  const [edited, setEdited] = useState<Designation | 'new' | null>(null);
  const retire = useRetireDesignation();
  return (
    <Card
      title="Route Designations"
      count={designations.length}
      actions={
        mayChange && (
          <Button icon="plus" onClick={() => setEdited('new')} className="max-lg:min-h-12">
            Add Designation
          </Button>
        )
      }
    >
      {designations.length === 0 && (
        <StateView
          icon="route"
          title="No route designation yet"
          text="A designation such as 101 ties markets, machines and a driver to one route."
        />
      )}
      <ul aria-label="Route designations">
        {designations.map((one) => (
          <li
            key={one.name}
            className="flex min-h-12 items-center gap-2 border-line border-b px-4 py-2 last:border-b-0"
          >
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2 font-medium">
                <span className="min-w-0 break-words">{one.name}</span>
                {one.isRetired && <Badge tone="idle">Retired</Badge>}
              </p>
              <p className="text-12 text-text-3">{carriedBy(one)}</p>
            </div>
            {mayChange && (
              <>
                <IconButton
                  label={`Rename ${one.name}`}
                  icon="edit"
                  onClick={() => setEdited(one)}
                  className="max-lg:size-12"
                />
                <Button
                  onClick={() => retire.mutate({ name: one.name, retired: !one.isRetired })}
                  disabled={retire.isPending}
                  pending={retire.isPending && retire.variables.name === one.name}
                  aria-label={`${one.isRetired ? 'Take back' : 'Retire'} ${one.name}`}
                  className="max-lg:min-h-12"
                >
                  {one.isRetired ? 'Take back' : 'Retire'}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {edited && <DesignationForm designation={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}

function carriedBy({ markets, machines, people }: Designation): string {
  if (markets + machines + people === 0) return 'Carried by nothing yet';
  return [countOf(markets, 'market'), countOf(machines, 'machine'), countOf(people, 'person', 'people')].join(', ');
}

function DesignationForm({ designation, onClose }: { designation: Designation | null; onClose: () => void }) {
  const save = useSaveDesignation(designation);
  const [name, setName] = useState(designation?.name ?? '');
  const fields = useFirstField();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(name.trim(), { onSuccess: onClose });
  };
  const failure = save.error ? sentenceOf(save.error) : undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={designation ? `Rename ${designation.name}` : 'Add Designation'}
      {...(designation
        ? { description: 'Places, people and routes to come get the new name. Past routes and sales keep the old one.' }
        : {})}
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            type="submit"
            form="designation"
            variant="primary"
            disabled={name.trim() === '' || name.trim() === designation?.name}
            pending={save.isPending}
            pendingLabel="Saving..."
            className="max-lg:min-h-12"
          >
            {designation ? 'Rename' : 'Add Designation'}
          </Button>
        </>
      }
    >
      <form ref={fields} id="designation" noValidate onSubmit={submit}>
        <TextField label="Name" required maxLength={20} value={name} onChange={setName} error={failure} />
      </form>
    </Dialog>
  );
}
