import { useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Offline } from './offline.ts';
import { OfflineContext } from './offline-context.tsx';
import type { OfflineStatus } from './status.ts';

export function useOffline(): Offline {
  const offline = useContext(OfflineContext);
  if (!offline) throw new Error('OfflineProvider is missing above this component');
  return offline;
}

export function useOfflineStatus(): OfflineStatus {
  const { status } = useOffline();
  return useSyncExternalStore(status.subscribe, status.get);
}

export function useOnline(): boolean {
  const { online } = useOffline();
  return useSyncExternalStore(online.subscribe, online.isOnline);
}

/**
 * Reads from the phone, and again whenever something stored changes. The last value stays while the next is read, so
 * nothing jumps; it is `undefined` only before the first. Give `read` a stable identity.
 */
export function useStored<T>(read: (offline: Offline) => Promise<T>): T | undefined {
  const offline = useOffline();
  const revision = useSyncExternalStore(offline.signal.subscribe, offline.signal.revision);
  const [result, setResult] = useState<{ read: unknown; value: T } | undefined>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision is what makes it read again
  useEffect(() => {
    let isCurrent = true;
    read(offline).then(
      (value) => isCurrent && setResult({ read, value }),
      // A store that cannot be read keeps the last value on the screen; the next change reads again.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [offline, read, revision]);
  return result?.read === read ? result.value : undefined;
}
