import { useEffect, useRef } from 'react';
import { useOffline } from '../offline/use-offline.ts';
import { toast } from '../ui/toast.ts';

const lost = {
  title: 'Offline Mode',
  description: 'Updates will be saved locally until connection is restored.',
};
const back = { title: 'Back Online', description: 'Connection restored. Syncing pending updates...' };

/** Says when the network goes and comes. Held back while a save is about to say something itself. */
export function useConnectionToasts(isSaving: boolean): void {
  const offline = useOffline();
  const isQuiet = useRef(isSaving);
  isQuiet.current = isSaving;
  useEffect(
    () =>
      offline.online.subscribe(() => {
        if (!isQuiet.current) toast(offline.online.isOnline() ? back : lost);
      }),
    [offline],
  );
}
