import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getPaymentReport, listPaymentPlaces, listPayments } from '../../contract/payments.ts';
import { queryFor } from '../http/query-client.ts';
import { queryOf, type Wish } from './wish.ts';

// What was there stays while another range is fetched: nothing jumps.
const kept = { placeholderData: keepPreviousData };

export const usePaymentReport = (wish: Wish) =>
  useQuery({ ...queryFor(getPaymentReport, { query: queryOf(wish) }), ...kept });

export const usePaymentPlaces = (wish: Wish) =>
  useQuery({ ...queryFor(listPaymentPlaces, { query: queryOf(wish) }), ...kept });

export type PaymentState = 'completed' | 'failed' | 'pending' | 'refunded';

/** Rows of a page on the screen and on paper. */
export const pageSizes = { screen: 10, paper: 500 } as const;

type Asked = { page: string | null; status: PaymentState | null; limit: number };

export function usePayments(wish: Wish, { page, status, limit }: Asked) {
  const query = { ...queryOf(wish), limit, ...(status ? { status } : {}), ...(page ? { page } : {}) };
  return useQuery({ ...queryFor(listPayments, { query }), ...kept });
}
