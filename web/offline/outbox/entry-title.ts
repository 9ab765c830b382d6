import { formatSigned } from '../../http/format.ts';
import { progressOf } from '../day/progress.ts';
import type { Entry } from './records.ts';

const stepTitles = {
  'route-started': 'Start of a route',
  'stop-arrived': 'Arrival at a stop',
  'stop-completed': 'Completion of a stop',
  'stop-skipped': 'A skipped stop',
  'stop-reopened': 'A stop opened again',
  'arrival-undone': 'An arrival taken back',
  'start-undone': 'A start taken back',
  'route-completed': 'Completion of a route',
} as const;

/** What a change kept on the phone is, for a list of changes. */
export function entryTitle(entry: Entry): string {
  if (entry.type === 'day-ended') return 'End of the day';
  if (entry.type === 'sealed') return 'A change from before you signed out';
  if (entry.type === 'visit') return 'Note and figures of a visit';
  if (entry.type !== 'stock-event') {
    const title = stepTitles[progressOf(entry)?.type ?? 'stop-completed'];
    return entry.type === 'progress' && entry.placeName ? `${title}: ${entry.placeName}` : title;
  }
  const { kind, quantity } = entry.event;
  if (kind === 'count') return `${entry.productName}: ${quantity}`;
  return `${entry.productName}: ${formatSigned(quantity)}`;
}
