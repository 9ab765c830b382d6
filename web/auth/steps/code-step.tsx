import { type FormEvent, useState } from 'react';
import { codeMissing } from '../../../contract/auth.ts';
import { countOf } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { CodeBoxes } from './code-boxes.tsx';

type Props = {
  contact: string;
  /** For how long the code is taken; null before that is known. */
  lifeSeconds: number | null;
  pending: boolean;
  /** What the server says of the code it was sent last, if that was wrong. */
  refusal: string | null;
  done: boolean;
  resending: boolean;
  onVerify: (code: string) => void;
  onBack: () => void;
  backLabel?: string;
  onResend: () => void;
};

/** Step two: the six digits. A pasted or autofilled code works whole, with words around it too. */
export function CodeStep(props: Props) {
  const { contact, lifeSeconds, pending, refusal, done, resending, onVerify, onBack, backLabel, onResend } = props;
  const [code, setCode] = useState('');
  // Wrong is the code that was sent: one digit changed, it may be right.
  const [sentCode, setSentCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code === '') {
      toast({
        title: 'Verification code required',
        description: codeMissing,
        variant: 'destructive',
      });
      return;
    }
    setSentCode(code);
    onVerify(code);
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
        <CodeBoxes
          isLabelHidden
          label="Verification code"
          value={code}
          onChange={setCode}
          error={code !== '' && code === sentCode ? refusal : null}
        />
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
