import { type FormEvent, useState } from 'react';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useProveCode, useProvePasskey } from './api.ts';

type Props = { app: boolean; passkey: boolean; done: boolean; onDone: () => void; onBack: () => void };

/** The second step, for whoever set one up: an app's code, a passkey, or a recovery code. */
export function FactorStep({ app, passkey, done, onDone, onBack }: Props) {
  const [way, setWay] = useState<'app' | 'passkey' | 'recovery'>(passkey ? 'passkey' : 'app');
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
        <CodeForm key={way} isRecovery={way === 'recovery'} done={done} onDone={onDone} onFailed={failed} />
      )}
      <div className="flex flex-wrap justify-between gap-2">
        <Button size="field" variant="quiet" onClick={onBack}>
          Back to Login Options
        </Button>
        {way === 'app' && passkey && <Other onClick={() => setWay('passkey')}>Use a passkey</Other>}
        {way === 'passkey' && app && <Other onClick={() => setWay('app')}>Use the app</Other>}
        {way === 'recovery' ? (
          <Other onClick={() => setWay(passkey ? 'passkey' : 'app')}>Use the usual way</Other>
        ) : (
          <Other onClick={() => setWay('recovery')}>Use a recovery code</Other>
        )}
      </div>
    </section>
  );
}

const texts = {
  app: 'Enter the 6 digits that your authenticator app shows for Milkrun.',
  passkey: 'Confirm with the passkey of this device or with your security key.',
  recovery: 'Enter one of the codes you kept when you set the second step up. Each works once.',
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

function CodeForm({ isRecovery, done, onDone, onFailed }: FormProps & { isRecovery: boolean }) {
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
      {isRecovery ? (
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
      ) : (
        <label className="grid gap-1">
          <span className="font-medium text-12 text-text-2">Code of the app</span>
          <input
            value={code}
            onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, 6))}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            // biome-ignore lint/a11y/noAutofocus: the person came here to type the code
            autoFocus
            className="h-16 w-full rounded border border-line-strong bg-ground text-center font-semibold text-28 tracking-[0.4em]"
          />
        </label>
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
