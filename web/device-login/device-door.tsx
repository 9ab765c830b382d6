import type { ReactNode } from 'react';
import { mayBeIn } from '../offline/may-be-in.ts';
import { Card } from '../ui/card.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useDeviceState } from './api.ts';
import { DeviceLoginScreen } from './device-login-screen.tsx';
import { recallLogin } from './stored-login.ts';

/** Device Login stands open to everybody: inside the menu for who is signed in, by itself for who is not. */
export function DeviceDoor({ inside }: { inside: () => ReactNode }) {
  const state = useDeviceState();
  if (state.data?.person || (state.error && recallLogin())) return inside();
  // The menu comes next: what stands on the page before the app came stays until then.
  if (state.isPending && mayBeIn()) {
    return <div role="status" aria-label="Loading" data-booting="" className="min-h-dvh bg-ground" />;
  }
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[30rem] grid-cols-[minmax(0,1fr)] content-start py-6 sm:content-center">
      <header className="flex items-center gap-3 px-6 max-lg:px-4">
        <img src="/icon.svg" alt="" width={40} height={40} />
        <div>
          <p className="font-semibold text-20">Milkrun</p>
          <p className="text-text-2">Route &amp; Inventory Manager</p>
        </div>
      </header>
      {state.error ? (
        <div className="p-4">
          <Card>
            <FailedView
              error={state.error}
              retry={() => void state.refetch()}
              title="This device's pairing did not load"
            />
          </Card>
        </div>
      ) : (
        <DeviceLoginScreen />
      )}
    </main>
  );
}
