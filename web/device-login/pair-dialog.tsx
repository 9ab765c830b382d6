import { type RefObject, useEffect, useState } from 'react';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { Select } from '../ui/forms/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useIssueCode, usePairingChoices } from './api.ts';
import { QrCode } from './qr-code.tsx';

/** A route as a choice; who has none stands under the space, which no designation can be. */
const noRoute = ' ';
const choiceOf = (route: string | null): string => route ?? noRoute;

/** Issues a code for a route and the person who will hold the device, and shows it until it ends. */
export function PairDialog({ onClose }: { onClose: () => void }) {
  const choices = usePairingChoices();
  const issue = useIssueCode();
  const fields = useFirstField<HTMLDivElement>(choices.data !== undefined);
  const [route, setRoute] = useState('');
  const [worker, setWorker] = useState('');
  const chooseRoute = (value: string): void => {
    setRoute(value);
    const there = choices.data?.find((one) => choiceOf(one.routeDesignation) === value)?.workers;
    setWorker(there?.length === 1 ? String(there[0]?.id) : '');
  };
  const send = (): void => issue.mutate({ routeDesignation: route === noRoute ? null : route, userId: Number(worker) });
  const code = issue.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pair a Device"
      description={
        code
          ? `For ${code.worker}, ${code.routeDesignation === null ? 'without a route yet' : `route ${code.routeDesignation}`}. It works once.`
          : 'A code for a tablet or phone that a Field Operator will hold.'
      }
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Close
          </Button>
          <Button
            variant="primary"
            disabled={worker === ''}
            pending={issue.isPending}
            pendingLabel="Issuing..."
            onClick={send}
            className="max-lg:min-h-12"
          >
            {code ? 'Issue a New Code' : 'Issue Pairing Code'}
          </Button>
        </>
      }
    >
      {code ? (
        <Code {...code} isForSignIn={code.routeDesignation === null} />
      ) : (
        <Choice {...{ choices, fields, route, worker }} onRoute={chooseRoute} onWorker={setWorker} />
      )}
      {issue.error && (
        <p role="alert" className="pt-4 text-bad-text">
          {sentenceOf(issue.error)}
        </p>
      )}
    </Dialog>
  );
}

type ChoiceProps = {
  choices: ReturnType<typeof usePairingChoices>;
  fields: RefObject<HTMLDivElement | null>;
  route: string;
  worker: string;
  onRoute: (route: string) => void;
  onWorker: (worker: string) => void;
};

function Choice({ choices, fields, route, worker, onRoute, onWorker }: ChoiceProps) {
  const mayInvite = useMay('people:manage');
  if (choices.error && !choices.data)
    return (
      <FailedView error={choices.error} retry={() => void choices.refetch()} title="Routes and people did not load" />
    );
  if (!choices.data) return <Skeleton className="h-32" />;
  if (choices.data.length === 0) {
    return (
      <StateView
        icon="person"
        title="No Field Operator yet"
        text="Invite one first, among the System Users of the Administration Dashboard."
        action={mayInvite && <ButtonLink href="/admin-dashboard?add=1">Invite a Person</ButtonLink>}
      />
    );
  }
  const workers = choices.data.find((one) => choiceOf(one.routeDesignation) === route)?.workers ?? [];
  return (
    <div ref={fields} className="grid gap-4 pt-2">
      <Select
        label="Route designation"
        value={route}
        onChange={onRoute}
        options={[
          { value: '', label: 'Choose a route' },
          ...choices.data.map(({ routeDesignation: value }) => ({
            value: choiceOf(value),
            label: value === null ? 'No route yet' : `Route ${value}`,
          })),
        ]}
      />
      <Select
        label="Field Operator"
        value={worker}
        disabled={route === ''}
        onChange={onWorker}
        options={[
          { value: '', label: route === '' ? 'Choose a route first' : 'Choose a person' },
          ...workers.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </div>
  );
}

type CodeProps = { code: string; link: string; expiresAt: string; isForSignIn: boolean };

function Code({ code, link, expiresAt, isForSignIn }: CodeProps) {
  const left = useSecondsUntil(expiresAt);
  if (left === 0) {
    return (
      <StateView icon="clock" title="This code has expired" text="Issue a new one and enter it within ten minutes." />
    );
  }
  return (
    <div className="grid justify-items-center gap-3 pt-2 text-center">
      <p className="font-semibold text-28 tracking-[0.2em]">
        {code.slice(0, 4)} {code.slice(4)}
      </p>
      {!isForSignIn && <QrCode text={link} label={`QR code of pairing code ${code}`} />}
      <p className="max-w-80 text-text-2">
        {isForSignIn
          ? 'They sign in with their work email on the device and enter these digits when it asks for the pairing code.'
          : 'Open Device Login on the device and enter the digits, or point its camera at the picture.'}
      </p>
      <p className="text-text-3" aria-live="off">
        Ends in {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
      </p>
    </div>
  );
}

function useSecondsUntil(instant: string): number {
  const reckon = (): number => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1000));
  const [left, setLeft] = useState(reckon);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the instant is all that it depends on
  useEffect(() => {
    setLeft(reckon());
    const timer = setInterval(() => setLeft(reckon()), 1000);
    return () => clearInterval(timer);
  }, [instant]);
  return left;
}
