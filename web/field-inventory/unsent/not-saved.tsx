import { useState } from 'react';
import { exportUnsent } from '../../offline/actions.ts';
import type { Offline } from '../../offline/offline.ts';
import type { Draft } from '../../offline/outbox/records.ts';
import { useOffline } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { saveShown } from '../../ui/tables/table-file.ts';
import { toast } from '../../ui/toasts/toast.ts';
import type { Drafts } from '../drafts/draft-desk.ts';

type NotSavedProps = {
  /** Every further write without room asks again. */
  refusedWrites: number;
  drafts: Drafts;
  onRetry: () => void;
};

const advice =
  'This device has no room left. Free some space and try again, or export the changes to a file, before you go on.';

/** The phone is full: nothing goes on until the driver has answered, and the notice stays for as long as it is true. */
export function NotSaved({ refusedWrites, drafts, onRetry }: NotSavedProps) {
  const offline = useOffline();
  const [answered, setAnswered] = useState(0);
  const toFile = () => void exportFile(offline, [...drafts.values()]);
  return (
    <>
      <div role="alert" className="grid gap-2 border-bad border-b bg-bad-soft px-4 py-3 text-16 text-bad-text">
        <strong className="font-semibold">NOT saved</strong>
        {advice}
        <Button size="field" onClick={toFile}>
          Export to a file
        </Button>
      </div>
      <Dialog
        open={refusedWrites > answered}
        onClose={() => setAnswered(refusedWrites)}
        title="NOT saved"
        description={advice}
        footer={
          <>
            <Button size="field" onClick={toFile}>
              Export to a file
            </Button>
            <Button
              size="field"
              variant="primary"
              onClick={() => {
                setAnswered(refusedWrites);
                onRetry();
              }}
            >
              Try again
            </Button>
          </>
        }
      />
    </>
  );
}

async function exportFile(offline: Offline, onScreen: readonly Draft[]): Promise<void> {
  try {
    saveShown('milkrun-unsent-changes.json', 'application/json', await exportUnsent(offline, onScreen));
  } catch {
    toast({
      title: 'Not exported',
      description: 'What this device keeps could not be read. Leave this page open and try again.',
      variant: 'destructive',
    });
  }
}
