import { type SalesGroup, salesGroups } from '../../domain/report.ts';
import { dayOf } from '../ui/address/day-of.ts';
import { useAddress } from '../ui/address/use-address.ts';

/** Every report, in the order of the screen. */
export const reportTypes = ['inventory', 'route', 'market', 'sales'] as const;
export type ReportType = (typeof reportTypes)[number];
export const reportNames: Record<ReportType, string> = {
  inventory: 'Inventory',
  route: 'Route',
  market: 'Market',
  sales: 'Sales',
};
const spans = ['week', 'month', 'quarter', 'custom'] as const;
export type Span = (typeof spans)[number];

/** What is being looked at; the address bar keeps it, so that it can be shared. */
export type Wish = {
  type: ReportType;
  span: Span;
  /** Days of a range of one's own; null where it is incomplete. */
  days: { from: string; to: string } | null;
  route: string | null;
  by: SalesGroup;
  /** Which rows of it: an order of the server's, words to look for, and the page. */
  sort: string | null;
  search: string | null;
  page: string | null;
};

export function useWish(): { wish: Wish; set: (values: Record<string, string | null>) => void } {
  const { get, set } = useAddress();
  const [from, to] = [dayOf(get('from')), dayOf(get('to'))];
  return {
    wish: {
      type: oneOf(reportTypes, get('type')),
      span: oneOf(spans, get('range')),
      days: from && to ? { from, to } : null,
      route: get('route'),
      by: oneOf(salesGroups, get('by')),
      ...{ sort: get('sort'), search: get('q'), page: get('page') },
    },
    // Whatever else is asked for begins at its first page; another report has other columns.
    set: (values) =>
      set({
        page: null,
        ...('type' in values ? { sort: null, q: null, 'losses-sort': null, 'losses-page': null } : {}),
        ...values,
      }),
  };
}

/** The value if it is one of these, else the first: the address may say anything. */
function oneOf<T extends string>(values: readonly [T, ...T[]], text: string | null): T {
  return values.find((value) => value === text) ?? values[0];
}

/** What the server is asked. */
export function queryOf({ span: name, days, route }: Wish) {
  const range = name === 'custom' ? { ...days } : { range: name };
  return { ...range, ...(route ? { route } : {}) };
}

/** Which rows of it the server is asked for; `usual` is the order it opens with. */
export function rowsOf<S extends string>({ sort, search, page }: Wish, usual: S, limit: number) {
  return { sort: (sort ?? usual) as S, limit, ...(search ? { search } : {}), ...(page ? { page } : {}) };
}
