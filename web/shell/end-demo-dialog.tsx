import { useState } from 'react';
import { useStartWithOwnData } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/forms/text-field.tsx';

const words = 'delete the demo';

/** Asks before the demo is emptied for good. */
export function EndDemo({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const end = useStartWithOwnData();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Start with my own data?"
      footer={
        <>
          <Button onClick={onClose}>Keep the demo</Button>
          <Button
            variant="danger"
            disabled={typed.trim() !== words}
            pending={end.isPending}
            pendingLabel="Emptying..."
            onClick={() => end.mutate(undefined, { onSuccess: () => window.location.assign('/login') })}
          >
            Empty the database
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-text-2">
        <p>
          All markets, machines, counts, sales and people of the demo are deleted, and the demo does not come back. A
          one-time set-up code for the first administrator appears on the server's console.
        </p>
        <TextField label={`Type '${words}' to confirm`} value={typed} onChange={setTyped} autoComplete="off" />
        {end.isError && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(end.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
