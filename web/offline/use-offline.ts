import { useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { latest } from './latest.ts';
import type { Offline } from './offline.ts';
import { OfflineContext } from './offline-context.tsx';
import type { StoredKind } from './outbox/signal.ts';
import type { OfflineStatus } from './outbox/status.ts';
import { sameWhereEqual } from './same-where-equal.ts';

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
 * nothing jumps; it is `undefined` only before the first. What is read equal stays the same object, so that only what
 * changed is drawn again. Give `read` and `kinds` a stable identity; without `kinds` every change counts. What was read
 * ahead (`known`) is there in the first picture.
 */
export function useStored<T>(
  read: (offline: Offline) => Promise<T>,
  kinds?: readonly StoredKind[],
  known?: (offline: Offline) => T | undefined,
): T | undefined {
  const offline = useOffline();
  const { signal } = offline;
  const revision = useSyncExternalStore(
    signal.subscribe,
    useCallback(() => signal.revision(kinds), [signal, kinds]),
  );
  const [result, setResult] = useState<Result<T> | undefined>(() => {
    const value = known?.(offline);
    return value === undefined ? undefined : { read, value };
  });
  const readAgain = useRef(() => {});
  useEffect(() => {
    let isCurrent = true;
    readAgain.current = latest(async () => {
      if (!isCurrent) return;
      const value = await read(offline);
      if (isCurrent) setResult((last) => kept(last, { read, value }));
    });
    return () => {
      isCurrent = false;
    };
  }, [offline, read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read and its revision make it read again
  useEffect(() => readAgain.current(), [offline, read, revision]);
  return result?.read === read ? result.value : undefined;
}

type Result<T> = { read: unknown; value: T };

function kept<T>(last: Result<T> | undefined, next: Result<T>): Result<T> {
  if (!last || last.read !== next.read) return next;
  const value = sameWhereEqual(last.value, next.value);
  return value === last.value ? last : { read: next.read, value };
}
