import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '../http/when-idle.ts';
import { toastStore } from '../ui/toast.ts';

const ToastHost = lazy(async () => ({ default: (await import('../ui/toast-host.tsx')).ToastHost }));

/** By then the first screen and what it shows are there. */
const afterMs = 3_000;

/** The toasts' host: fetched after the first screen is drawn, or with the first toast if that comes earlier. */
export function ToastPlace() {
  const hasToast = useSyncExternalStore(toastStore.subscribe, () => toastStore.get().length > 0);
  const [isIdle, setIdle] = useState(false);
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
  if (!hasToast && !isIdle) return null;
  return (
    <Suspense>
      <ToastHost />
    </Suspense>
  );
}
