import { nameOfPerson, useMay, useSession, useSignOut } from '../../auth/api.ts';
import { formatNumber } from '../../http/format.ts';
import { useInstall } from '../../offline/kept/install.ts';
import { useUnsentPhotos } from '../../offline/photos/unsent-photos.ts';
import { useOfflineStatus } from '../../offline/use-offline.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useUpdate } from '../updates.ts';
import { Popover } from './popover.tsx';
import { ThemeButton } from './theme-button.tsx';

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { person } = useSession();
  const leave = useSignOut();
  const install = useInstall();
  const update = useUpdate();
  const maySet = useMay('office:read');
  const mayAdminister = useMay('people:manage');
  const name = nameOfPerson(person);
  const initials = name
    .split(/\s+/)
    .map((part) => part[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase();
  return (
    <Popover
      label="Signed in"
      trigger={(props) => (
        <button type="button" {...props} className={`${buttonClass({ variant: 'quiet' })} max-lg:size-12 max-lg:px-0`}>
          <span
            aria-hidden="true"
            className="grid size-6 flex-none place-items-center rounded-full bg-idle-soft font-semibold text-12 text-idle-text"
          >
            {initials}
          </span>
          <span className="sr-only">Signed in as </span>
          <span className="text-text max-lg:sr-only">{name}</span>
        </button>
      )}
    >
      {(close) => (
        <div className="grid gap-3 p-4">
          <div className="relative">
            <span className="absolute -top-2 -right-2 lg:hidden">
              <ThemeButton size="field" />
            </span>
            <p className="pr-12 font-semibold">{name}</p>
            <p className="truncate pr-12 text-text-2">{person.email}</p>
            <p className="text-text-2">
              {person.roleLabel}
              {person.routeDesignation && `, Route ${person.routeDesignation}`}
            </p>
          </div>
          <LeftBehind />
          <AppLink href="/account" onClick={close} className={buttonClass({ size: 'field' })}>
            <Icon name="person" size={20} />
            Your Account
          </AppLink>
          {mayAdminister && (
            <AppLink href="/admin-dashboard" onClick={close} className={buttonClass({ size: 'field' })}>
              <Icon name="person" size={20} />
              People
            </AppLink>
          )}
          {maySet && (
            <AppLink href="/settings" onClick={close} className={buttonClass({ size: 'field' })}>
              <Icon name="settings" size={20} />
              Settings
            </AppLink>
          )}
          {update && (
            <Button icon="refresh" size="field" onClick={update}>
              Update Milkrun
            </Button>
          )}
          {install?.by === 'button' && (
            <Button icon="download" size="field" onClick={install.ask}>
              Install Milkrun
            </Button>
          )}
          <Button
            icon="signout"
            size="field"
            pending={leave.isPending}
            pendingLabel="Signing out..."
            onClick={() => leave.mutate()}
          >
            Sign out
          </Button>
        </div>
      )}
    </Popover>
  );
}

/** What a sign-out leaves on this device, and what becomes of it. */
function LeftBehind() {
  const { drafts, unsent } = useOfflineStatus();
  const photos = useUnsentPhotos()?.own ?? 0;
  if (drafts + unsent + photos === 0) return null;
  return (
    <p className="grid gap-1 rounded bg-warn-soft p-2 text-warn-text">
      {unsent > 0 && <span>{unsentWords(unsent)}</span>}
      {photos > 0 && <span>{photoWords(photos)}</span>}
      {drafts > 0 && <span>{draftWords(drafts)}</span>}
    </p>
  );
}

function unsentWords(count: number): string {
  return count === 1
    ? '1 change is not sent. It stays on this device and is still delivered after you sign out.'
    : `${formatNumber(count)} changes are not sent. They stay on this device and are still delivered after you sign out.`;
}

/** A sign-out sends nothing that its person has not saved. */
function draftWords(count: number): string {
  return count === 1
    ? '1 change is not saved. It stays on this device until you sign in here again and save it.'
    : `${formatNumber(count)} changes are not saved. They stay on this device until you sign in here again and save them.`;
}

function photoWords(count: number): string {
  return count === 1
    ? '1 photo is not sent. It stays on this device and is sent once you sign in here again.'
    : `${formatNumber(count)} photos are not sent. They stay on this device and are sent once you sign in here again.`;
}
