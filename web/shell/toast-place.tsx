import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '../http/when-idle.ts';
import { useOnline } from '../offline/use-offline.ts';
import { toastStore } from '../ui/toasts/toast.ts';

const fetchHost = async (): Promise<ComponentType> => (await import('../ui/toasts/toast-host.tsx')).ToastHost;

/** By then the first screen and what it shows are there. */
const afterMs = 3_000;

type ToastPlaceProps = { load?: () => Promise<ComponentType> };

/**
 * The toasts' host: fetched after the first screen is drawn, or with the first toast if that comes earlier. The first toast
 * may be the one that says that the network is gone, before the phone has kept this code: then the next try brings it, and
 * the screen beside it stays.
 */
export function ToastPlace({ load = fetchHost }: ToastPlaceProps) {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const isOnline = useOnline();
  const [isIdle, setIdle] = useState(false);
  const [Host, setHost] = useState<ComponentType | null>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    const timer = setTimeout(() => {
      stop = whenIdle(() => setIdle(true));
    }, afterMs);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, []);
  const isWanted = isIdle || toasts.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each toast and each change of the network is a new try
  useEffect(() => {
    if (!isWanted || Host) return;
    load().then(
      (host) => setHost(() => host),
      () => undefined,
    );
  }, [isWanted, Host, load, toasts, isOnline]);
  return Host && <Host />;
}
