import { useState } from 'react';
import { nameOfPerson, useSession } from '../auth/api.ts';
import { SignInAgain } from '../auth/sign-in-again.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useAccount } from './api.ts';
import { PhoneCard } from './phone-card.tsx';
import { SecondStepCard } from './second-step-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** Who one is here, the second step of the sign-in, and where one is signed in. */
export function AccountScreen() {
  const { person, secondStepMissing } = useSession();
  const { data, error, refetch } = useAccount();
  const names = [...new Set([nameOfPerson(person), person.email])];
  return (
    <div className="grid min-w-0 max-w-3xl gap-4 p-6 max-lg:p-4">
      <div>
        <h1>Your Account</h1>
        <p className="text-text-2">{[...names, person.roleLabel].join(', ')}</p>
      </div>
      {secondStepMissing && data?.factors.length === 0 && (
        <p role="status" className="flex items-start gap-3 rounded border border-warn bg-warn-soft p-4 text-warn-text">
          <Icon name="lock" size={20} />
          Your company asks for a second step at sign-in. Set one up here; then everything else opens.
        </p>
      )}
      {error && !data && (
        <Card>
          <FailedView error={error} retry={() => void refetch()} title="Your account did not load" />
        </Card>
      )}
      {!data && !error && (
        <Card title="Second Step">
          <SkeletonRows rows={5} className="h-9" />
        </Card>
      )}
      {data && (
        <>
          {!data.mayChange && <MayNotChange onDone={() => void refetch()} />}
          <SecondStepCard account={data} />
          <PhoneCard phone={data.phone} />
          <SessionsCard sessions={data.sessions} />
        </>
      )}
    </div>
  );
}

function MayNotChange({ onDone }: { onDone: () => void }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-3 rounded border border-line bg-subtle p-4">
      <p className="min-w-0 flex-1 basis-60 text-text-2">
        The second step can be changed for 15 minutes after signing in, so that nobody does it at a screen left open.
      </p>
      <Button className="max-lg:min-h-12" onClick={() => setAsking(true)}>
        Sign in again
      </Button>
      {isAsking && (
        <SignInAgain
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            onDone();
          }}
        />
      )}
    </div>
  );
}
