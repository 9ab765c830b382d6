import { useState } from 'react';
import { useRequireSecondStep, useRotateKey, useSecurity } from '../account/api.ts';
import { asksToSignInAgain, SignInAgain } from '../auth/sign-in-again.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';

/** Whether the office needs a second step, and the key of stored secrets. */
export function SecurityCard() {
  const { data, error, refetch } = useSecurity();
  const require = useRequireSecondStep();
  const rotate = useRotateKey();
  const [asking, setAsking] = useState<'require' | 'rotate' | null>(null);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const close = (): void => setAsking(null);
  const change = (required: boolean): void =>
    require.mutate(required, {
      onSettled: close,
      onError: (error) => asksToSignInAgain(error) && setWanted(required),
    });
  if (error && !data) {
    return (
      <Card title="Security">
        <FailedView error={error} retry={() => void refetch()} title="The security settings did not load" />
      </Card>
    );
  }
  return (
    <Card title="Security">
      {data ? (
        <div className="grid max-w-2xl gap-4 p-4">
          <label className="flex min-h-12 items-start gap-3">
            <input
              type="checkbox"
              className="mt-1 size-5 flex-none accent-accent"
              checked={data.secondStepRequired}
              disabled={require.isPending}
              onChange={({ target }) => (target.checked ? setAsking('require') : change(false))}
            />
            <span>
              <span className="font-medium">Signing in needs a second step</span>
              <span className="block text-text-2">
                Managers and administrators prove an authenticator app or a passkey, set up under Your Account. Drivers
                sign in on a device they hold; a new one needs their manager’s pairing code.
              </span>
            </span>
          </label>
          {data.without.length > 0 && <p className="text-text-2">Without a second step: {nameSome(data.without)}.</p>}
          <div className="flex flex-wrap items-center gap-3 border-line border-t pt-4">
            <p className="min-w-0 flex-1 basis-60 text-text-2">
              Passwords and keys of partner systems are stored sealed. Change their key when somebody leaves who could
              read the server.
            </p>
            <Button
              className="max-lg:min-h-12"
              pending={rotate.isPending}
              pendingLabel="Changing..."
              onClick={() => setAsking('rotate')}
            >
              Change the key
            </Button>
          </div>
        </div>
      ) : (
        <SkeletonRows rows={5} className="h-6" />
      )}
      {wanted !== null && (
        <SignInAgain
          onClose={() => setWanted(null)}
          onDone={() => {
            setWanted(null);
            change(wanted);
          }}
        />
      )}
      <ConfirmDialog
        open={asking === 'require'}
        onClose={close}
        title="Require a second step?"
        confirmLabel="Require it"
        pending={require.isPending}
        onConfirm={() => change(true)}
      >
        {data && data.without.length > 0
          ? `${nameSome(data.without)} can open nothing but Your Account until they have set one up.`
          : 'Every manager and administrator has one already.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'rotate'}
        onClose={close}
        title="Change the key of stored secrets?"
        confirmLabel="Change the key"
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate(undefined, { onSettled: close })}
      >
        Everything goes on working. It cannot be undone, and backups made before need the key file they were made with.
      </ConfirmDialog>
    </Card>
  );
}

const shown = 5;

function nameSome(names: readonly string[]): string {
  if (names.length <= shown) return names.join(', ');
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}
