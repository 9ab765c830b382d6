import { useState } from 'react';
import type { verifyCode } from '../../contract/auth.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { ApiError, sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSendVerification, useSession, useVerifyCode, wrongCode } from './api.ts';
import { DemoHelp } from './demo-help.tsx';
import { CodeStep } from './steps/code-step.tsx';
import { FactorStep } from './steps/factor-step.tsx';

type Props = {
  onClose: () => void;
  onDone: () => void;
  title?: string;
  reason?: string;
  /** Where closing loses what was typed: the words of the only button that does. */
  leaveLabel?: string;
};
type SecondStep = NonNullable<Reply<typeof verifyCode>['secondStep']>;
type At = 'start' | 'code' | SecondStep;

/** True for the refusal that ends when the person proves once more who they are. */
export const asksToSignInAgain = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'sign-in-again';

const freshness =
  'How somebody signs in, and a higher role, can be changed for 15 minutes after signing in, so that nobody does it at a screen left open.';

/** Signs the same person in once more without leaving the screen: what was typed there stays. */
export function SignInAgain({ onClose, onDone, leaveLabel, ...words }: Props) {
  const { title = 'Confirm It Is You', reason = freshness } = words;
  const { person, operator } = useSession();
  const [at, setAt] = useState<At>('start');
  const [lifeSeconds, setLifeSeconds] = useState<number | null>(null);
  const sending = useSendVerification();
  const verifying = useVerifyCode();
  const contact = { verificationType: 'email', email: person.email } as const;
  const back = leaveLabel ? () => setAt('start') : onClose;
  const backLabel = leaveLabel ? 'Back' : 'Cancel';
  const failed = (error: unknown): void =>
    toast({ title: 'Verification failed', description: sentenceOf(error), variant: 'destructive' });
  const send = (): void =>
    sending.mutate(contact, {
      onSuccess: ({ expiresInSeconds }) => {
        setLifeSeconds(expiresInSeconds);
        setAt('code');
      },
      onError: (error) => toast({ title: 'Error', description: sentenceOf(error), variant: 'destructive' }),
    });
  const verify = (code: string): void =>
    verifying.mutate(
      { contact, code },
      { onSuccess: ({ secondStep }) => (secondStep ? setAt(secondStep) : onDone()), onError: failed },
    );
  return (
    <Dialog open steady={leaveLabel !== undefined} onClose={onClose} title={title} description={reason}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-2">
        {at === 'start' && (
          <>
            <p className="break-words">
              A code goes to <span className="font-medium">{person.email}</span>
            </p>
            <Button variant="primary" size="thumb" pending={sending.isPending} pendingLabel="Sending..." onClick={send}>
              Send Verification Code
            </Button>
            {leaveLabel && (
              <Button variant="quiet" size="field" onClick={onClose}>
                {leaveLabel}
              </Button>
            )}
          </>
        )}
        {at === 'code' && (
          <CodeStep
            contact={person.email}
            lifeSeconds={lifeSeconds}
            pending={verifying.isPending}
            refusal={wrongCode(verifying.error)}
            done={false}
            onVerify={verify}
            onBack={back}
            backLabel={backLabel}
            resending={sending.isPending}
            onResend={send}
          />
        )}
        {typeof at === 'object' && (
          <FactorStep {...at} done={false} onDone={onDone} onBack={back} backLabel={backLabel} />
        )}
        {at === 'code' && operator.isDemo && <DemoHelp codeSent onChoose={() => {}} />}
      </div>
    </Dialog>
  );
}
