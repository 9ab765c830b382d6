import { type FormEvent, useId, useState } from 'react';
import { encode } from 'uqr';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useBeginApp, useConfirmApp } from './api.ts';

type Props = { onClose: () => void; onAdded: (added: { recoveryCodes: string[] }) => void };

/** Scan, then prove it with the first code. */
export function AppDialog({ onClose, onAdded }: Props) {
  const id = useId();
  const begun = useBeginApp();
  const confirm = useConfirmApp();
  const [code, setCode] = useState('');
  const isWhole = code.length === 6;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWhole) confirm.mutate(code, { onSuccess: onAdded });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add Authenticator App"
      description="Any app that shows 6 digits works, for example the one of your phone's maker."
      footer={<FormButtons form={id} submitLabel="Set Up" pending={confirm.isPending} onCancel={onClose} />}
    >
      {begun.error ? (
        <FailedView error={begun.error} retry={() => void begun.refetch()} title="The code to scan did not load" />
      ) : (
        <form id={id} onSubmit={submit} className="grid gap-4">
          <p>1. Scan this with the app.</p>
          {begun.data ? <Code uri={begun.data.uri} /> : <Skeleton className="size-48 justify-self-center" />}
          <p className="text-12 text-text-2">
            Can it not scan? Enter this key:{' '}
            <code className="select-all break-all text-text">{begun.data?.secret.match(/.{1,4}/g)?.join(' ')}</code>
          </p>
          <TextField
            label="2. Enter the code it shows now"
            size="field"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(text) => setCode(text.replace(/\D/g, '').slice(0, 6))}
          />
        </form>
      )}
    </Dialog>
  );
}

/** Always dark on light, which every camera reads. */
function Code({ uri }: { uri: string }) {
  const { size, data } = encode(uri, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="Picture for the app's camera"
      className="size-48 justify-self-center rounded bg-[#fff]"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
