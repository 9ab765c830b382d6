import { useState } from 'react';
import { useMay, useStartWithOwnData } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

const words = 'delete the demo';

/** Says that nothing here is real, and leads out of it. */
export function DemoBanner() {
  const mayEnd = useMay('settings:manage');
  const [asking, setAsking] = useState(false);
  return (
    <section
      aria-label="Demo"
      className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-accent-soft px-6 py-1 text-accent max-lg:px-4"
    >
      <p className="min-w-0 flex-1 font-medium">Demo: a synthetic operator. It lives on every day.</p>
      {mayEnd && (
        <Button size="small" onClick={() => setAsking(true)}>
          Start with my own data
        </Button>
      )}
      {asking && <EndDemo onClose={() => setAsking(false)} />}
    </section>
  );
}

function EndDemo({ onClose }: { onClose: () => void }) {
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
