import { type FormEvent, useState } from 'react';
import type { Account } from '../../contract/account.ts';
import { phoneText } from '../../domain/phone-number.ts';
import { useSession } from '../auth/api.ts';
import { DemoHelp } from '../auth/demo-help.tsx';
import { formatDate } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useConfirmPhone, useSendPhoneCode } from './api.ts';

const codeLength = 6;

/** The number for text messages: codes to sign in go there once its owner has proven it. */
export function PhoneCard({ phone }: { phone: Account['phone'] }) {
  const send = useSendPhoneCode();
  const [isSent, setSent] = useState(false);
  const isWaiting = isSent && phone?.confirmedAt === null;
  const ask = (): void => send.mutate(undefined, { onSuccess: () => setSent(true) });
  return (
    <Card title="Phone Number" actions={phone && <State confirmedAt={phone.confirmedAt} />}>
      <div className="grid gap-4 p-4">
        {phone ? (
          <p>
            <span className="font-medium">{phoneText(phone.number)}</span>
            <span className="block text-text-2">
              {phone.confirmedAt
                ? `Confirmed on ${formatDate(phone.confirmedAt)}. Codes to sign in can go there.`
                : 'Confirm that this number is yours before codes to sign in go there.'}{' '}
              Text messages can be read or redirected by others: an authenticator app or a passkey is safer.
            </span>
          </p>
        ) : (
          <p className="text-text-2">An administrator can add your number, for codes by text message.</p>
        )}
        {phone && !phone.confirmedAt && !isWaiting && (
          <Button
            icon="message"
            className="justify-self-start max-lg:min-h-12"
            pending={send.isPending}
            pendingLabel="Sending..."
            onClick={ask}
          >
            Send a code to this number
          </Button>
        )}
        {isWaiting && <CodeForm resend={ask} isResending={send.isPending} />}
      </div>
    </Card>
  );
}

function State({ confirmedAt }: { confirmedAt: string | null }) {
  return confirmedAt ? <Badge tone="ok">Confirmed</Badge> : <Badge tone="warn">Not confirmed</Badge>;
}

function CodeForm({ resend, isResending }: { resend: () => void; isResending: boolean }) {
  const { operator } = useSession();
  const [code, setCode] = useState('');
  const confirm = useConfirmPhone();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === codeLength) confirm.mutate(code, { onError: () => setCode('') });
  };
  return (
    <>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <TextField
          label="Code from the text message"
          size="field"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="w-56 max-sm:w-full"
          value={code}
          onChange={(text) => setCode(text.replace(/\D/g, '').slice(0, codeLength))}
        />
        <Button
          type="submit"
          variant="primary"
          size="field"
          disabled={code.length !== codeLength}
          pending={confirm.isPending}
          pendingLabel="Confirming..."
        >
          Confirm Number
        </Button>
        <Button size="field" variant="quiet" pending={isResending} pendingLabel="Sending..." onClick={resend}>
          Send another
        </Button>
      </form>
      {operator.isDemo && <DemoHelp codeSent onChoose={() => {}} />}
    </>
  );
}
