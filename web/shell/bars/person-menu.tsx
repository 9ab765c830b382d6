import { useMay, useSession, useSignOut } from '../../auth/api.ts';
import { useInstall } from '../../offline/kept/install.ts';
import { useOfflineStatus } from '../../offline/use-offline.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from './popover.tsx';
import { ThemeButton } from './theme-button.tsx';

/** Who is signed in, and the way out. */
export function PersonMenu() {
  const { person } = useSession();
  const { drafts, unsent } = useOfflineStatus();
  const leave = useSignOut();
  const install = useInstall();
  const maySet = useMay('office:read');
  const mayAdminister = useMay('people:manage');
  const name = `${person.firstName} ${person.lastName}`.trim() || person.email;
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
          {drafts + unsent > 0 && (
            <p className="rounded bg-warn-soft p-2 text-warn-text">
              {drafts + unsent === 1
                ? '1 change is not sent. It stays on this phone and is still delivered after you sign out.'
                : `${drafts + unsent} changes are not sent. They stay on this phone and are still delivered after you sign out.`}
            </p>
          )}
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
