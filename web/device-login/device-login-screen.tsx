import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type DeviceLogin, getDevice } from '../../contract/devices.ts';
import { deviceIdOf } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useDeviceState } from './api.ts';
import { type CheckedCode, CodeStep } from './code-step.tsx';
import { DeviceForm } from './device-form.tsx';
import { DevicePanel } from './device-panel.tsx';
import { Devices } from './devices.tsx';
import { keepLogin, noteDeviceId, recallLogin, type StoredLogin } from './stored-login.ts';

function useDeviceId(): string | null {
  const offline = useOffline();
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    void deviceIdOf(offline).then((found) => {
      noteDeviceId(found);
      setId(found);
    });
  }, [offline]);
  return id;
}

/** Ties the device in hand to a route, or shows what it is tied to; whoever may pair devices does so here as well. */
export function DeviceLoginScreen() {
  const state = useDeviceState();
  const login = useKeptLogin(state);
  return (
    <Page>
      {state.data?.person?.mayPair && <Devices />}
      {login ? <DevicePanel login={login} /> : <Door state={state} />}
    </Page>
  );
}

type Asked = ReturnType<typeof useDeviceState>;

/** The server's answer; without a network what the device was signed in as. */
function useKeptLogin({ data, error }: Asked): StoredLogin | null {
  const [kept] = useState(recallLogin);
  useEffect(() => {
    if (data?.login) keepLogin(data.login.deviceSession.deviceId, data.login);
  }, [data]);
  if (data) return data.login;
  return error ? kept : null;
}

function Door({ state }: { state: Asked }) {
  const client = useQueryClient();
  const deviceId = useDeviceId();
  const entered = (login: DeviceLogin): void => {
    keepLogin(login.deviceSession.deviceId, login);
    // Another session: everything that was read without it is read again.
    if (state.data?.person) void client.invalidateQueries({ queryKey: [getDevice.path] });
    else window.location.assign('/device-login');
  };
  if (state.data && deviceId)
    return (
      <>
        {!state.data.person && <NoLonger />}
        <Unauthenticated state={state.data} deviceId={deviceId} onDone={entered} />
      </>
    );
  if (!state.error) {
    return (
      <div role="status" aria-label="Loading">
        <Skeleton className="h-80" />
      </div>
    );
  }
  return (
    <Card>
      <FailedView error={state.error} retry={() => void state.refetch()} title="This device's pairing did not load" />
    </Card>
  );
}

/** Whoever signs a device out on it leaves nothing kept: what is kept was ended elsewhere, or has run out. */
function NoLonger() {
  const [kept] = useState(recallLogin);
  if (!kept) return null;
  const { deviceName, routeDesignation } = kept.deviceSession;
  return (
    <p role="status" className="rounded border border-warn bg-warn-soft px-4 py-3 text-warn-text">
      {deviceName}, route {routeDesignation}, is no longer paired: an administrator ended its access, or its time ran
      out. Ask your route manager for a new pairing code.
    </p>
  );
}

function Page({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-6 max-lg:p-4">
      <h1>Device Login</h1>
      {children}
    </div>
  );
}

/** Who sees every route and finds none has to make the first one. */
const noRouteText = (seesAll: boolean): string =>
  seesAll
    ? 'No location has a route designation yet. Give markets and vending machines one: a device belongs to a route.'
    : 'You are on no route. Ask an administrator for one, or sign out and use a pairing code.';

type State = NonNullable<ReturnType<typeof useDeviceState>['data']>;
type UnauthenticatedProps = { state: State; deviceId: string; onDone: (login: DeviceLogin) => void };

function Unauthenticated({ state, deviceId, onDone }: UnauthenticatedProps) {
  const [checked, setChecked] = useState<CheckedCode | null>(null);
  const { person } = state;
  if (person) {
    const name = `${person.firstName} ${person.lastName}`.trim();
    return (
      <Card title="Register this device" className="w-full max-w-xl">
        <p className="p-4 text-text-2">
          {state.routeDesignations.length === 0
            ? noRouteText(person.mayPair)
            : `You are signed in${name ? ` as ${name}` : ''}: no pairing code is needed for the device in your hand.`}
        </p>
        {state.routeDesignations.length === 0 && person.mayPair && (
          <div className="flex flex-wrap gap-2 px-4 pb-4">
            <ButtonLink href="/markets">Open Markets</ButtonLink>
            <ButtonLink href="/vending-machines">Open Vending Machines</ButtonLink>
          </div>
        )}
        {state.routeDesignations.length > 0 && (
          <DeviceForm deviceId={deviceId} routes={state.routeDesignations} pairingCode={null} onDone={onDone} />
        )}
      </Card>
    );
  }
  return (
    <Card title={checked ? 'About this device' : 'Pair this device'}>
      {checked ? (
        <>
          <p className="px-4 pt-4 text-text-2">
            The code is good: this device will be signed in as <strong className="text-text">{checked.worker}</strong>.
          </p>
          <DeviceForm
            deviceId={deviceId}
            routes={checked.routes}
            pairingCode={checked.code}
            onDone={onDone}
            onBack={() => setChecked(null)}
          />
        </>
      ) : (
        <CodeStep onChecked={setChecked} />
      )}
      <p className="border-line border-t p-4 text-text-2">
        Do you have an account of your own?{' '}
        <AppLink href="/login?next=%2Fdevice-login" className="font-medium text-accent underline">
          Sign in
        </AppLink>
      </p>
    </Card>
  );
}
