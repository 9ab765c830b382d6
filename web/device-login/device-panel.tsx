import { useState } from 'react';
import { sentenceOf } from '../http/client.ts';
import { forgetSession } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { dropAllDrafts } from '../ui/forms/draft.ts';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { deviceDoor, typeLabel, useDeviceLogout } from './api.ts';
import { forgetLogin, type StoredLogin } from './stored-login.ts';

/** The device is signed in: what it is, who holds it, what it opens, and the way out. */
export function DevicePanel({ login }: { login: StoredLogin }) {
  const { user, deviceSession, applications } = login;
  const name = `${user.firstName} ${user.lastName}`.trim();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Card>
        <div className="flex items-center gap-3 p-4">
          <span className="grid size-12 flex-none place-items-center rounded-full bg-ok-soft text-ok-text">
            <Icon name="check" size={24} />
          </span>
          <div className="min-w-0">
            <h2 className="text-16">Device Authenticated</h2>
            <p className="truncate text-text-2">{deviceSession.deviceName} is ready for use.</p>
          </div>
        </div>
      </Card>
      <div className="grid grid-cols-3 gap-2 max-sm:grid-cols-1">
        <AppLink href="/mobile-inventory" className={buttonClass({ variant: 'primary', size: 'thumb' })}>
          Open Mobile Inventory
        </AppLink>
        <AppLink href="/" className={buttonClass({ size: 'thumb' })}>
          Go to Dashboard
        </AppLink>
        <LogoutButton deviceId={deviceSession.deviceId} name={deviceSession.deviceName} />
      </div>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Card title="Device">
          <Facts
            facts={[
              ['Type', typeLabel(deviceSession.deviceType)],
              ['Name', deviceSession.deviceName],
              ['Route', deviceSession.routeDesignation],
            ]}
          />
        </Card>
        <Card title="Operator">
          <Facts
            facts={[
              ['Name', name || 'Not set'],
              ['Role', user.roleLabel],
              ['Route', user.routeDesignation ?? 'N/A'],
            ]}
          />
        </Card>
      </div>
      <Card title="Available Applications" count={applications.filter(({ isActive }) => isActive).length}>
        <ul className="grid">
          {applications.map(({ applicationName, label, isActive }) => (
            <li
              key={applicationName}
              className="flex min-h-12 items-center justify-between gap-2 border-line border-b px-4 last:border-b-0"
            >
              <span>{label}</span>
              <Badge tone={isActive ? 'ok' : 'idle'}>{isActive ? 'Available' : 'Ended'}</Badge>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid gap-2 p-4">
      {facts.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-text-3">{label}</dt>
          <dd className="min-w-0 break-words text-right font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function LogoutButton({ deviceId, name }: { deviceId: string; name: string }) {
  const offline = useOffline();
  const logout = useDeviceLogout();
  const [asks, setAsks] = useState(false);
  const leave = async (): Promise<void> => {
    try {
      await logout.mutateAsync(deviceId);
    } catch (error) {
      setAsks(false);
      toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) });
      return;
    }
    forgetLogin();
    await forgetSession(offline, { isTold: true });
    dropAllDrafts();
    window.location.assign(deviceDoor);
  };
  return (
    <>
      <Button size="thumb" icon="signout" onClick={() => setAsks(true)}>
        Logout Device
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Log ${name} out?`}
        confirmLabel="Logout Device"
        pending={logout.isPending}
        onConfirm={() => void leave()}
      >
        <p>
          It needs a new pairing code, or a sign-in, before it can be used again. Changes it has not sent yet stay on it
          and are still delivered.
        </p>
      </ConfirmDialog>
    </>
  );
}
