import type { DayRange } from '../../domain/report.ts';
import { dayOf } from '../ui/address/day-of.ts';
import { useAddress } from '../ui/address/use-address.ts';

export const spans = ['month', 'week', 'quarter', 'custom'] as const;
export type Span = (typeof spans)[number];

/** What is being looked at; the address bar keeps it, so that it can be shared. */
export type Wish = {
  /** overview, comparison, reconciliation, or the key of a system. */
  tab: string;
  span: Span;
  from: string | null;
  to: string | null;
};

export function useWish(): { wish: Wish; set: (values: Record<string, string | null>) => void } {
  const { get, set } = useAddress();
  const tab = get('tab') ?? 'overview';
  return {
    wish: {
      tab: /^[a-z_0-9-]{1,50}$/.test(tab) ? tab : 'overview',
      span: spans.find((span) => span === get('range')) ?? 'month',
      from: dayOf(get('from')),
      to: dayOf(get('to')),
    },
    // Other days or another tab begin at the first page of their payments.
    set: (values) => set({ page: null, ...values }),
  };
}

/** The system whose rows alone are shown; null: all of them. */
export const systemOf = ({ tab }: Wish): string | null =>
  ['overview', 'comparison', 'reconciliation'].includes(tab) ? null : tab;

/** What the server is asked. */
export function queryOf(wish: Wish) {
  const { span, from, to } = wish;
  const system = systemOf(wish);
  const days: Partial<DayRange> = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  return { ...(span === 'custom' ? days : { range: span }), ...(system ? { system } : {}) };
}
