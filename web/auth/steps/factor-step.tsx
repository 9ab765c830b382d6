import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../../http/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useProveCode, useProvePasskey, wrongCode } from '../api.ts';
import { CodeBoxes } from './code-boxes.tsx';

type Props = {
  app: boolean;
  passkey: boolean;
  pairing: boolean;
  done: boolean;
  onDone: () => void;
  onBack: () => void;
  backLabel?: string;
};
type Way = keyof typeof texts;

/** The second step: an app's code, a passkey or a recovery code; on a new device of a driver the manager's pairing code. */
export function FactorStep({ app, passkey, pairing, done, onDone, onBack, backLabel }: Props) {
  const usual: Way = passkey ? 'passkey' : 'app';
  const [way, setWay] = useState<Way>(pairing ? 'pairing' : usual);
  const failed = (error: unknown): void =>
    toast({ title: 'Verification failed', description: sentenceOf(error), variant: 'destructive' });
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded border border-line bg-ground p-4">
      <div>
        <h2 className="text-16">Second Step</h2>
        <p className="text-text-2">{texts[way]}</p>
      </div>
      {way === 'passkey' ? (
        <PasskeyButton done={done} onDone={onDone} onFailed={failed} />
      ) : (
        <CodeForm key={way} way={way} done={done} onDone={onDone} onFailed={failed} />
      )}
      <div className="grid gap-2 sm:flex sm:flex-wrap sm:justify-between">
        <Button size="field" variant="quiet" onClick={onBack}>
          {backLabel ?? 'Back to Login Options'}
        </Button>
        {way === 'app' && passkey && <Other onClick={() => setWay('passkey')}>Use a passkey</Other>}
        {way === 'passkey' && app && <Other onClick={() => setWay('app')}>Use the app</Other>}
        {way === 'recovery' && <Other onClick={() => setWay(usual)}>Use the usual way</Other>}
        {(way === 'app' || way === 'passkey') && <Other onClick={() => setWay('recovery')}>Use a recovery code</Other>}
      </div>
    </section>
  );
}

const texts = {
  app: 'Enter the 6 digits that your authenticator app shows for Milkrun.',
  passkey: 'Confirm with the passkey of this device or with your security key.',
  recovery: 'Enter one of the codes you kept when you set the second step up. Each works once.',
  pairing:
    'You have not signed in on this device before. Enter the pairing code that your route manager issues for you.',
};

function Other({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button size="field" variant="quiet" onClick={onClick}>
      {children}
    </Button>
  );
}

type FormProps = { done: boolean; onDone: () => void; onFailed: (error: unknown) => void };

function PasskeyButton({ done, onDone, onFailed }: FormProps) {
  const prove = useProvePasskey();
  return (
    <Button
      icon="key"
      variant="primary"
      size="thumb"
      pending={prove.isPending || done}
      pendingLabel={done ? 'Login successful' : 'Waiting for the passkey...'}
      onClick={() => prove.mutate(undefined, { onSuccess: onDone, onError: onFailed })}
    >
      Continue with passkey
    </Button>
  );
}

function CodeForm({ way, done, onDone, onFailed }: FormProps & { way: 'app' | 'recovery' | 'pairing' }) {
  const [code, setCode] = useState('');
  const prove = useProveCode();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.trim() === '') {
      toast({ title: 'Code required', description: 'Please enter the code', variant: 'destructive' });
      return;
    }
    prove.mutate(code.trim(), { onSuccess: onDone, onError: onFailed });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      {way === 'recovery' && (
        <TextField
          label="Recovery code"
          size="field"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX"
          maxLength={36}
          value={code}
          onChange={setCode}
        />
      )}
      {way === 'pairing' && <PairingField code={code} onChange={setCode} />}
      {way === 'app' && (
        <CodeBoxes
          label="Code of the app"
          value={code}
          onChange={setCode}
          error={code !== '' && code === prove.variables ? wrongCode(prove.error) : null}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        size="thumb"
        pending={prove.isPending || done}
        pendingLabel={done ? 'Login successful' : 'Verifying...'}
      >
        Verify
      </Button>
    </form>
  );
}

type DigitsProps = { code: string; onChange: (code: string) => void };

function PairingField({ code, onChange }: DigitsProps) {
  return (
    <label className="grid gap-1">
      <span className="font-medium text-12 text-text-2">Pairing code</span>
      <input
        value={code.replace(/^(\d{4})(\d+)$/, '$1 $2')}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, 8))}
        inputMode="numeric"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the person came here to type the code
        autoFocus
        className="h-16 w-full rounded border border-line-strong bg-ground text-center font-semibold text-28 tracking-[0.2em]"
      />
    </label>
  );
}
