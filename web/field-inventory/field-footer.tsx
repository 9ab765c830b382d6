import type { Session } from '../../contract/auth.ts';
import { nameOfPerson } from '../auth/api.ts';
import type { OfflineStatus } from '../offline/outbox/status.ts';
import { useOffline } from '../offline/use-offline.ts';
import { clockTime } from './wording.ts';

export function FieldFooter({ session, status }: { session: Session; status: OfflineStatus }) {
  const offline = useOffline();
  const { email } = session.person;
  const name = nameOfPerson(session.person);
  const lastSync = status.lastSyncAt === null ? 'Never' : clockTime(status.lastSyncAt, offline.environment.now());
  return (
    <footer className="grid gap-1 px-4 py-6 text-14 text-text-2">
      <p>Logged in as {name === email ? email : `${name} (${email})`}</p>
      <p>
        Last sync: <time dateTime={status.lastSyncAt ?? undefined}>{lastSync}</time>
        {!status.online && ' · Offline'}
      </p>
    </footer>
  );
}
