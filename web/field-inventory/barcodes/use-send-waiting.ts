import { useCallback, useEffect, useRef } from 'react';
import type { Offline } from '../../offline/offline.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useOffline, useOnline, useStored } from '../../offline/use-offline.ts';
import { hasUnsent, sendUnsent, sendWaiting } from './waiting-codes.ts';

const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;
const ofCodes: readonly StoredKind[] = ['download'];

/**
 * Sends the barcodes that wait whenever there is a network, whatever part of the screen is looked at, and those that do not get
 * through again and again with growing pauses: the network may never have been told as gone.
 */
export function useSendWaiting(userId: number): void {
  const offline = useOffline();
  const isOnline = useOnline();
  const isSending = useRef(false);
  const waits = useStored(
    useCallback((from: Offline) => hasUnsent(from, userId), [userId]),
    ofCodes,
  );
  const once = useCallback(async (send: () => Promise<void>): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    await send().catch(() => undefined);
    isSending.current = false;
  }, []);
  useEffect(() => {
    if (isOnline) void once(() => sendWaiting(offline, userId));
  }, [offline, isOnline, userId, once]);
  useEffect(() => {
    if (!isOnline || !waits) return;
    let isOver = false;
    let cancel = (): void => {};
    const plan = (pauseMs: number): void => {
      cancel = offline.environment.after(pauseMs, async () => {
        await once(() => sendUnsent(offline, userId));
        if (!isOver) plan(Math.min(longestPauseMs, pauseMs * 2));
      });
    };
    plan(firstPauseMs);
    return () => {
      isOver = true;
      cancel();
    };
  }, [offline, isOnline, userId, waits, once]);
}
