import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useDexLinks, useSaveDexLinks } from './api.ts';

/** Says which slot each selection of the machine's files is, where its own number is not the slot's. */
export function LinksDialog({ machineId, onClose }: { machineId: number; onClose: () => void }) {
  const links = useDexLinks(machineId);
  const save = useSaveDexLinks(machineId);
  const [changed, setChanged] = useState<Record<string, string>>({});
  const selections = links.data?.selections ?? [];
  const slots = links.data?.slots ?? [];
  const submit = (): void => {
    const wanted = selections.flatMap(({ selection, slotNumber, chosen }) => {
      const slot = changed[selection] ?? (chosen ? slotNumber : '') ?? '';
      return slot === '' ? [] : [{ selection, slotNumber: slot }];
    });
    save.mutate(wanted, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Selections and slots"
      description="Which slot of the planogram each selection of the DEX files is. By itself it is the slot of the same number."
      footer={
        <>
          <Button className="max-lg:min-h-12" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            className="max-lg:min-h-12"
            disabled={Object.keys(changed).length === 0}
            pending={save.isPending}
            onClick={submit}
          >
            Save Slots
          </Button>
        </>
      }
    >
      {links.isPending && <SkeletonRows rows={5} />}
      {links.error && !links.data && (
        <FailedView error={links.error} retry={() => void links.refetch()} title="The selections did not load" />
      )}
      {links.data && selections.length === 0 && (
        <StateView icon="box" title="No selections" text="The files of this machine tell of no single selections." />
      )}
      <ul className="grid gap-2 pt-2">
        {selections.map(({ selection, name, slotNumber, chosen }) => (
          <li key={selection} className="grid grid-cols-2 items-center gap-2">
            <span className="min-w-0 truncate">
              {selection} <span className="text-text-2">{name === selection ? '' : name}</span>
            </span>
            <Select
              label={`Slot of selection ${selection}`}
              hideLabel
              value={changed[selection] ?? (chosen ? (slotNumber ?? '') : '')}
              onChange={(slot) => setChanged({ ...changed, [selection]: slot })}
              options={[
                {
                  value: '',
                  label: slotNumber !== null && !chosen ? `By its number: ${slotNumber}` : 'No slot of its number',
                },
                ...slots.map((slot) => ({ value: slot.slotNumber, label: `${slot.slotNumber} ${slot.productName}` })),
              ]}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
