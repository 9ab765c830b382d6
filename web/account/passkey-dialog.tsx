import { type FormEvent, useId, useState } from 'react';
import { canUsePasskeys } from '../auth/api.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useAddPasskey } from './api.ts';

type Props = { onClose: () => void; onAdded: (added: { recoveryCodes: string[] }) => void };

/** Names the passkey, then the browser asks the rest. */
export function PasskeyDialog({ onClose, onAdded }: Props) {
  const id = useId();
  const add = useAddPasskey();
  const [name, setName] = useState('This device');
  const isPossible = canUsePasskeys();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') add.mutate(name.trim(), { onSuccess: onAdded });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add Passkey"
      description="The lock of your phone or computer, or a security key, becomes your second step."
      {...(isPossible
        ? { footer: <FormButtons form={id} submitLabel="Continue" pending={add.isPending} onCancel={onClose} /> }
        : {})}
    >
      {isPossible ? (
        <form id={id} onSubmit={submit}>
          <TextField
            label="Name of this passkey"
            size="field"
            maxLength={100}
            error={name.trim() === '' ? 'Name this passkey' : undefined}
            value={name}
            onChange={setName}
          />
        </form>
      ) : (
        <p className="text-text-2">
          This browser makes passkeys only at an https address with a name. Open Milkrun there, or use an authenticator
          app.
        </p>
      )}
    </Dialog>
  );
}
