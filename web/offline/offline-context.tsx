import { createContext, type ReactNode } from 'react';
import type { Offline } from './offline.ts';

export const OfflineContext = createContext<Offline | null>(null);

export function OfflineProvider({ offline, children }: { offline: Offline; children: ReactNode }) {
  return <OfflineContext value={offline}>{children}</OfflineContext>;
}
