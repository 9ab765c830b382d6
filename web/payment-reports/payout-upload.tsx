import { useRef, useState } from 'react';
import { type IntegrationSystem, integrationSystem, systemLabel } from '../../domain/integration.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { useImportPayouts } from './reconciliation-api.ts';

/** Takes in what a processor says it paid out. */
export function PayoutUpload() {
  const [isOpen, setIsOpen] = useState(false);
  const [system, setSystem] = useState<IntegrationSystem>('cantaloupe');
  const input = useRef<HTMLInputElement>(null);
  const send = useImportPayouts();
  return (
    <span className="print:hidden">
      <Button icon="upload" onClick={() => setIsOpen(true)} className="max-lg:min-h-12">
        Import Payouts
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Import Payouts"
        description="A CSV file with the columns Reference, Amount and Date; Fee and Payout are read too."
        footer={
          <Button
            variant="primary"
            icon="upload"
            pending={send.isPending}
            pendingLabel="Reading…"
            onClick={() => input.current?.click()}
            className="max-lg:min-h-12"
          >
            Choose File
          </Button>
        }
      >
        <Select
          label="Paid out by"
          value={system}
          options={integrationSystem.options.map((value) => ({ value, label: systemLabel[value] }))}
          onChange={(value) => setSystem(integrationSystem.options.find((one) => one === value) ?? 'cantaloupe')}
        />
        <input
          ref={input}
          type="file"
          accept=".csv,.txt"
          aria-label="Payout file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) send.mutate({ system, file }, { onSuccess: () => setIsOpen(false) });
            event.target.value = '';
          }}
        />
      </Dialog>
    </span>
  );
}
