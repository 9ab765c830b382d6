import type { Exception } from '../../contract/dashboard.ts';
import { addressOf } from './location-address.ts';

export const kindLabel: Record<Exception['kind'], string> = {
  late: 'Late',
  silent: 'Silent',
  'sold-out': 'Sold out',
  alert: 'Alert',
  'count-conflict': 'Counts differ',
  refused: 'Refused counts',
  'silent-phone': 'Silent phones',
  partner: 'Connections',
};

/** Kinds in the list with their numbers, in the order of the worst of each. */
export function kindsIn(rows: readonly Exception[]): { kind: Exception['kind']; count: number }[] {
  const counts = new Map<Exception['kind'], number>();
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

type Action = { label: string; href: string } | { alertId: number };

/** The one next step: where it is settled, or the alert to take note of. Who may decide goes to the counts to review. */
export function actionOf({ kind, key, location }: Exception, mayDecide: boolean): Action {
  if (kind === 'alert') return { alertId: Number(key.slice(key.indexOf(':') + 1)) };
  // The key of a late exception names its route.
  if (kind === 'late')
    return { label: 'Open schedule', href: `/daily-schedule?route=${key.slice(key.indexOf(':') + 1)}` };
  if (kind === 'silent-phone') return { label: 'Open schedule', href: '/daily-schedule' };
  if (kind === 'partner') return { label: 'Open connection', href: '/inventory?tab=integrations' };
  const isReviewed = kind === 'count-conflict' || kind === 'refused';
  if (isReviewed && mayDecide) return { label: 'Review', href: '/counts-to-review' };
  const href = location ? addressOf(location) : '/mobile-inventory';
  if (kind === 'count-conflict') return { label: 'Count again', href };
  return { label: kind === 'silent' ? 'Open machine' : 'Open inventory', href };
}
