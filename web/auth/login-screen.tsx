import { type FormEvent, useCallback, useState } from 'react';
import { emailMissing, type verifyCode } from '../../contract/auth.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { phoneAsTyped } from '../../domain/phone-number.ts';
import { ApiError } from '../http/client.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { latePart } from '../ui/address/late-code.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { type Contact, useSendVerification, useSignInState, useVerifyCode, wrongCode } from './api.ts';
import { LeftOnPhone } from './left-on-phone.tsx';
import { CodeStep } from './steps/code-step.tsx';
import { Waiting } from './waiting.tsx';
import { cameFromEnded, wantedAddress } from './wanted-address.ts';

const DemoHelp = latePart(async () => (await import('./demo-help.tsx')).DemoHelp);
const FactorStep = latePart(async () => (await import('./steps/factor-step.tsx')).FactorStep);
const SetUp = latePart(async () => (await import('./set-up.tsx')).SetUp);

type Method = 'email' | 'sms';
type SecondStep = NonNullable<Reply<typeof verifyCode>['secondStep']>;

/** A wait worth showing after too many tries: what is over in a moment is not. */
function waitOf(error: unknown): number | null {
  const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;
  return seconds !== null && seconds > 1 ? seconds : null;
}

const wanted = (): string => wantedAddress(window.location.search, window.location.origin);
const goOn = (): void => window.location.assign(wanted());

type Props = { preload?: (pathname: string) => Promise<void> };

export function LoginScreen({ preload = async () => {} }: Props) {
  const state = useSignInState();
  const [method, setMethod] = useState<Method>('email');
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  const [sentTo, setSentTo] = useState<Contact | null>(null);
  const [lifeSeconds, setLifeSeconds] = useState<number | null>(null);
  const sending = useSendVerification();
  const verifying = useVerifyCode();
  const [done, setDone] = useState(false);
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const [waitSeconds, setWaitSeconds] = useState<number | null>(null);
  const waitIsOver = useCallback(() => setWaitSeconds(null), []);

  const send = async (contact: Contact): Promise<void> => {
    try {
      const { expiresInSeconds } = await sending.mutateAsync(contact);
      setSentTo(contact);
      setLifeSeconds(expiresInSeconds);
      setWaitSeconds(null);
      // The first screen's code comes while the person reads their mail; without it the screen fetches it itself.
      preload(new URL(wanted()).pathname).catch(() => undefined);
      const place = contact.verificationType === 'email' ? 'email' : 'phone';
      toast({ title: 'Verification code sent', description: `Check your ${place} for the verification code` });
    } catch (error) {
      const text = error instanceof ApiError ? error.detail : 'Failed to send verification code';
      setWaitSeconds(waitOf(error));
      toast({ title: 'Error', description: text, variant: 'destructive' });
    }
  };

  const start = (event: FormEvent): void => {
    event.preventDefault();
    if (method === 'email' && email.trim() === '') {
      toast({ title: 'Email required', description: emailMissing, variant: 'destructive' });
    } else if (method === 'sms' && phone.trim() === '') {
      toast({ title: 'Phone number required', description: 'Please enter your phone number', variant: 'destructive' });
    } else {
      void send(
        method === 'email'
          ? { verificationType: 'email', email: email.trim() }
          : { verificationType: 'sms', phoneNumber: phone.trim() },
      );
    }
  };

  const finish = (): void => {
    setDone(true);
    toast({ title: 'Login successful' });
    goOn();
  };

  const verify = async (code: string): Promise<void> => {
    if (!sentTo) return;
    try {
      const { secondStep: asked } = await verifying.mutateAsync({ contact: sentTo, code });
      if (asked) setSecondStep(asked);
      else finish();
    } catch (error) {
      setWaitSeconds(waitOf(error));
      const text = error instanceof ApiError ? error.detail : 'Invalid verification code';
      toast({ title: 'Verification failed', description: text, variant: 'destructive' });
    }
  };

  return (
    <main className="mx-auto grid min-h-dvh grid-cols-[minmax(0,1fr)] w-full max-w-[26.25rem] content-start gap-6 px-4 py-10 sm:content-center">
      <header className="flex items-center gap-3">
        <img src="/icon.svg" alt="" width={40} height={40} />
        <div>
          <h1>Milkrun</h1>
          <p className="text-text-2">Route &amp; Inventory Manager</p>
        </div>
      </header>
      {secondStep && (
        <FactorStep
          {...secondStep}
          done={done}
          onDone={finish}
          onBack={() => {
            setSecondStep(null);
            setSentTo(null);
          }}
        />
      )}
      {!secondStep && sentTo && (
        <CodeStep
          contact={sentTo.verificationType === 'email' ? sentTo.email : sentTo.phoneNumber}
          lifeSeconds={lifeSeconds}
          pending={verifying.isPending || done}
          refusal={wrongCode(verifying.error)}
          done={done}
          onVerify={(code) => void verify(code)}
          onBack={() => setSentTo(null)}
          resending={sending.isPending}
          onResend={() => void send(sentTo)}
        />
      )}
      {!sentTo && cameFromEnded(window.location.search) && (
        <p role="status">
          Your session has ended. Sign in again to go on where you were.{' '}
          <AppLink href="/device-login" className="text-accent underline underline-offset-2">
            A paired device takes a new pairing code.
          </AppLink>
        </p>
      )}
      {!sentTo && !state.data?.needsSetup && (
        <section className="rounded border border-line bg-ground">
          <Tabs
            label="Way to sign in"
            value={method}
            onChange={setMethod}
            tabs={[
              { value: 'email', label: 'Work Email' },
              { value: 'sms', label: 'Text Message' },
            ]}
          >
            <form onSubmit={start} noValidate={method === 'sms' || email.trim() === ''} className="grid gap-4 p-4">
              {method === 'email' ? (
                <TextField
                  label="Work email"
                  type="email"
                  size="field"
                  autoComplete="email"
                  inputMode="email"
                  placeholder="you@company.com"
                  value={email}
                  onChange={setEmail}
                />
              ) : (
                <TextField
                  label="Phone number"
                  type="tel"
                  size="field"
                  autoComplete="tel-national"
                  placeholder="(415) 555-0123"
                  value={phone}
                  onChange={(text) => setPhone(phoneAsTyped(text))}
                  hint="For numbers confirmed under Your Account. Text messages can be read by others: a passkey or an app is safer."
                />
              )}
              <Button
                type="submit"
                variant="primary"
                size="thumb"
                pending={sending.isPending}
                pendingLabel="Sending..."
              >
                Send Verification Code
              </Button>
            </form>
          </Tabs>
        </section>
      )}
      {waitSeconds !== null && <Waiting seconds={waitSeconds} onOver={waitIsOver} />}
      <LeftOnPhone />
      {state.data?.isDemo && (
        <DemoHelp
          codeSent={sentTo !== null}
          onChoose={(chosen) => {
            setMethod('email');
            setEmail(chosen);
            void send({ verificationType: 'email', email: chosen });
          }}
        />
      )}
      {state.data?.needsSetup && <SetUp onDone={goOn} />}
    </main>
  );
}
