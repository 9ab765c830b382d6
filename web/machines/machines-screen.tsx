import { useState } from 'react';
import { useMay } from '../auth/api.ts';
import { ImportLink } from '../ui/address/import-link.tsx';
import { lateDialog } from '../ui/address/late-code.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { ActiveAlerts } from './active-alerts.tsx';
import { useRemoveMachine } from './api.ts';
import type { Opened } from './machine-card.tsx';
import { MachineGrid } from './machine-grid.tsx';

const MachineForm = lateDialog('Vending Machine', async () => (await import('./machine-form.tsx')).MachineForm);
const ManageInventory = lateDialog(
  'Manage Inventory',
  async () => (await import('./manage-inventory.tsx')).ManageInventory,
);

export function MachinesScreen() {
  const mayWrite = useMay('office:write');
  const remove = useRemoveMachine();
  const [chosen, setOpened] = useState<Opened | { what: 'add' } | null>(null);
  const { get, set } = useAddress();
  // An address may open the form itself.
  const opened: Opened | { what: 'add' } | null = chosen ?? (get('add') ? { what: 'add' } : null);
  const close = (): void => {
    setOpened(null);
    if (get('add')) set({ add: null });
  };
  const add = mayWrite && (
    <Button variant="primary" icon="plus" className="max-lg:min-h-12" onClick={() => setOpened({ what: 'add' })}>
      Add Vending Machine
    </Button>
  );
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="mr-auto">Vending Machines</h1>
        {mayWrite && <ImportLink />}
        {add}
      </div>
      <ActiveAlerts />
      <MachineGrid onOpen={setOpened} add={add} />
      {opened?.what === 'add' && <MachineForm machine={null} onClose={close} />}
      {opened?.what === 'form' && <MachineForm machine={opened.machine} onClose={close} />}
      {opened?.what === 'inventory' && <ManageInventory machine={opened.machine} onClose={close} />}
      {opened?.what === 'remove' && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Delete ${opened.machine.name}?`}
          confirmLabel="Delete Vending Machine"
          pending={remove.isPending}
          onConfirm={() => remove.mutate(opened.machine, { onSettled: close })}
        >
          <p>
            {opened.machine.machineId}, {opened.machine.location}. Its products and open alerts go with it. Counts and
            sales recorded so far stay in the history.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
