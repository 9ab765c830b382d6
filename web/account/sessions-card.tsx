import { useState } from 'react';
import type { Account } from '../../contract/account.ts';
import { formatDateTime } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { useEndOthers, useEndSession } from './api.ts';

type Row = Account['sessions'][number];

/** Where one is signed in, each to be ended. */
export function SessionsCard({ sessions }: { sessions: readonly Row[] }) {
  const [ending, setEnding] = useState<Row | 'others' | null>(null);
  const endOne = useEndSession();
  const endOthers = useEndOthers();
  const close = (): void => setEnding(null);
  const confirm = (): void => {
    if (ending === 'others') endOthers.mutate(undefined, { onSettled: close });
    else if (ending) endOne.mutate(ending.id, { onSettled: close });
  };
  return (
    <Card
      title="Where You Are Signed In"
      count={sessions.length}
      actions={
        sessions.length > 1 && (
          <Button className="max-lg:min-h-12" onClick={() => setEnding('others')}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <ul>
        {sessions.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 last:border-b-0"
          >
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {row.device}
                {row.isThis && <Badge tone="run">This one</Badge>}
              </p>
              <p className="text-12 text-text-2">
                Last used {formatDateTime(row.lastSeenAt)}, since {formatDateTime(row.startedAt)}
                {row.place && `, from ${row.place}`}
              </p>
            </div>
            {!row.isThis && (
              <Button className="max-lg:min-h-12" onClick={() => setEnding(row)}>
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={ending !== null}
        onClose={close}
        title={ending === 'others' ? 'Sign out everywhere else?' : `Sign out on ${ending?.device ?? ''}?`}
        confirmLabel="Sign out"
        pending={endOne.isPending || endOthers.isPending}
        onConfirm={confirm}
      >
        It happens at once. What a phone has not sent yet stays on it and is still delivered.
      </ConfirmDialog>
    </Card>
  );
}
