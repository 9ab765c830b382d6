import { useState } from 'react';
import type { Account } from '../../contract/account.ts';
import { formatDate } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useRemoveFactor, useRenewCodes } from './api.ts';
import { AppDialog } from './app-dialog.tsx';
import { PasskeyDialog } from './passkey-dialog.tsx';
import { RecoveryDialog } from './recovery-dialog.tsx';

type Factor = Account['factors'][number];
type Opened = 'app' | 'passkey' | 'renew' | { codes: string[] } | { remove: Factor };
const fewCodes = 3;

/** The second steps of one's sign-in: none, an app, passkeys; and the codes for when they are lost. */
export function SecondStepCard({ account }: { account: Account }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const remove = useRemoveFactor();
  const renew = useRenewCodes();
  const { factors, recoveryCodesLeft, isRequired, mayChange } = account;
  const close = (): void => setOpened(null);
  const added = ({ recoveryCodes }: { recoveryCodes: string[] }): void =>
    setOpened(recoveryCodes.length > 0 ? { codes: recoveryCodes } : null);
  const removed = typeof opened === 'object' && opened && 'remove' in opened ? opened.remove : null;
  return (
    <Card title="Second Step" actions={isRequired && <Badge tone="run">Required by your company</Badge>}>
      <p className="p-4 text-text-2">
        {factors.length === 0
          ? 'Whoever reads your mail or messages can sign in as you. A second step on your own device stops that.'
          : 'Asked for after the code of each sign-in. Any one of these is enough.'}
      </p>
      <ul className="border-line border-t">
        {factors.map((factor) => (
          <li key={factor.id} className="flex items-center gap-3 border-line border-b px-4 py-2">
            <Icon name={factor.kind === 'totp' ? 'phone' : 'key'} size={20} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{factor.name}</p>
              <p className="text-12 text-text-2">
                Since {formatDate(factor.createdAt)}
                {factor.lastUsedAt && `, last used ${formatDate(factor.lastUsedAt)}`}
              </p>
            </div>
            <IconButton
              label={`Remove ${factor.name}`}
              icon="trash"
              className="max-lg:size-12"
              disabled={!mayChange}
              onClick={() => setOpened({ remove: factor })}
            />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 p-4">
        <Button icon="phone" className="max-lg:min-h-12" disabled={!mayChange} onClick={() => setOpened('app')}>
          Add authenticator app
        </Button>
        <Button icon="key" className="max-lg:min-h-12" disabled={!mayChange} onClick={() => setOpened('passkey')}>
          Add passkey
        </Button>
      </div>
      {factors.length > 0 && (
        <div className="flex flex-wrap items-center gap-3 border-line border-t p-4">
          <p className={`min-w-0 flex-1 basis-60 ${recoveryCodesLeft < fewCodes ? 'text-warn-text' : 'text-text-2'}`}>
            {recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`}{' '}
            They let you in when your device is lost.
          </p>
          <Button className="max-lg:min-h-12" disabled={!mayChange} onClick={() => setOpened('renew')}>
            Make new codes
          </Button>
        </div>
      )}
      {opened === 'app' && <AppDialog onClose={close} onAdded={added} />}
      {opened === 'passkey' && <PasskeyDialog onClose={close} onAdded={added} />}
      {typeof opened === 'object' && opened && 'codes' in opened && (
        <RecoveryDialog codes={opened.codes} onClose={close} />
      )}
      <ConfirmDialog
        open={opened === 'renew'}
        onClose={close}
        title="Make new recovery codes?"
        confirmLabel="Make new codes"
        cancelLabel="Keep the old ones"
        pending={renew.isPending}
        pendingLabel="Making..."
        onConfirm={() => renew.mutate(undefined, { onSuccess: added, onError: close })}
      >
        The codes you have kept stop working at once. The new ones are shown this one time.
      </ConfirmDialog>
      <ConfirmDialog
        open={removed !== null}
        onClose={close}
        title={`Remove ${removed?.name ?? ''}?`}
        confirmLabel="Remove"
        pending={remove.isPending}
        onConfirm={() => removed && remove.mutate(removed.id, { onSettled: close })}
      >
        {factors.length === 1
          ? 'It is your only second step: from then on the code alone signs you in, and the recovery codes end.'
          : 'Your other second steps go on working.'}
      </ConfirmDialog>
    </Card>
  );
}
