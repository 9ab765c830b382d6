import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '../http/when-idle.ts';
import { toastStore } from '../ui/toast.ts';

const ToastHost = lazy(async () => ({ default: (await import('../ui/toast-host.tsx')).ToastHost }));

/** The toasts' host: fetched after the first screen is drawn, or with the first toast if that comes earlier. */
export function ToastPlace() {
  const hasToast = useSyncExternalStore(toastStore.subscribe, () => toastStore.get().length > 0);
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  if (!hasToast && !isIdle) return null;
  return (
    <Suspense>
      <ToastHost />
    </Suspense>
  );
}
