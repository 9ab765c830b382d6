import { useCallback } from 'react';
import type { Offline } from '../../offline/offline.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { TapButton } from '../quantity/tap-button.tsx';
import { dropCode, keepCode, listWaiting, type WaitingCode } from './waiting-codes.ts';

const ofCodes: readonly StoredKind[] = ['download'];

/** Barcodes given to products without a network: sent by themselves when there is one. */
export function WaitingCodes({ userId }: { userId: number }) {
  const offline = useOffline();
  const waiting = useStored(
    useCallback((from: Offline) => listWaiting(from, userId), [userId]),
    ofCodes,
  );
  if (!waiting || waiting.length === 0) return null;
  return (
    <ul aria-label="Barcodes kept on this device" className="grid border-line border-t">
      {waiting.map((one) => (
        <li key={one.code} className="flex items-center justify-between gap-2 border-line border-b py-1">
          <span className="min-w-0 text-14 text-text">
            <strong className="font-semibold tabular-nums">{one.code}</strong> for {one.productName}
            <span className={`block ${one.problem ? 'text-bad-text' : 'text-text-2'}`}>
              {one.problem ?? 'Kept on this device. It is sent by itself when there is a network.'}
            </span>
          </span>
          <TapButton icon="trash" label={`Drop barcode ${one.code}`} onClick={() => void drop(offline, one)} />
        </li>
      ))}
    </ul>
  );
}

async function drop(offline: Offline, waiting: WaitingCode): Promise<void> {
  await dropCode(offline, waiting);
  toast({
    title: 'Barcode dropped',
    description: `${waiting.code} for ${waiting.productName}`,
    action: { label: 'Undo', run: () => void keepCode(offline, waiting) },
  });
}
