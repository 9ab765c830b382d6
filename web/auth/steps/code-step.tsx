import { type FormEvent, useState } from 'react';
import { countOf } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts/toast.ts';

const codeLength = 6;

type Props = {
  contact: string;
  /** For how long the code is taken; null before that is known. */
  lifeSeconds: number | null;
  pending: boolean;
  done: boolean;
  resending: boolean;
  onVerify: (code: string) => void;
  onBack: () => void;
  backLabel?: string;
  onResend: () => void;
};

/** Step two: the six digits. A pasted or autofilled code works whole, with words around it too. */
export function CodeStep(props: Props) {
  const { contact, lifeSeconds, pending, done, resending, onVerify, onBack, backLabel, onResend } = props;
  const [code, setCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.trim() === '') {
      toast({
        title: 'Verification code required',
        description: 'Please enter the verification code',
        variant: 'destructive',
      });
      return;
    }
    onVerify(code.trim());
  };
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded border border-line bg-ground p-4">
      <div>
        <h2 className="text-16">Enter Verification Code</h2>
        <p className="text-text-2">
          Sent to <span className="font-medium text-text">{contact}</span>
          {lifeSeconds !== null && `. It works once, for ${countOf(Math.round(lifeSeconds / 60), 'minute')}.`}
        </p>
      </div>
      <form onSubmit={submit} className="grid gap-4">
        <label className="grid gap-1">
          <span className="font-medium text-12 text-text-2">Verification code</span>
          <input
            value={code}
            onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, codeLength))}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            // biome-ignore lint/a11y/noAutofocus: the person came here to type the code, and a phone offers it only then
            autoFocus
            className="h-16 w-full rounded border border-line-strong bg-ground text-center font-semibold text-28 tracking-[0.4em]"
          />
        </label>
        <Button
          type="submit"
          variant="primary"
          size="thumb"
          pending={pending}
          pendingLabel={done ? 'Login successful' : 'Verifying...'}
        >
          Verify &amp; Login
        </Button>
      </form>
      <div className="grid gap-2 sm:flex sm:justify-between">
        <Button size="field" variant="quiet" onClick={onBack}>
          {backLabel ?? 'Back to Login Options'}
        </Button>
        <Button
          size="field"
          variant="quiet"
          pending={resending}
          pendingLabel="Sending..."
          onClick={() => {
            // The code before is dead from now on: nobody should send it by mistake.
            setCode('');
            onResend();
          }}
        >
          Resend Code
        </Button>
      </div>
    </section>
  );
}
