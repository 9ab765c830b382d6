import { useEffect } from 'react';
import { useOffline, useOnline } from '../../offline/use-offline.ts';
import { sendWaiting } from './waiting-codes.ts';

/** Sends the barcodes that wait whenever there is a network, whatever part of the screen is looked at. */
export function useSendWaiting(userId: number): void {
  const offline = useOffline();
  const isOnline = useOnline();
  useEffect(() => {
    if (isOnline) void sendWaiting(offline, userId).catch(() => undefined);
  }, [offline, isOnline, userId]);
}
