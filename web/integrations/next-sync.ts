import type { NextSync } from '../../contract/integrations.ts';
import { formatDateTime } from '../http/format.ts';

const words = { 'by-hand': 'Only by hand', 'put-right': 'When this is put right', now: 'In a minute' } as const;

/** When a connection is read next by itself, in the words of every partner's screen. */
export function nextSyncText({ when, at }: NextSync): string {
  if (when === 'at') return at ? formatDateTime(at) : words.now;
  return words[when];
}
