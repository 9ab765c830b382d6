import { useQuery } from '@tanstack/react-query';
import { listMarketInventory } from '../../contract/inventory.ts';
import { getLocationSales, getLocationStock } from '../../contract/locations.ts';
import { getMarket } from '../../contract/markets.ts';
import type { LocationRef } from '../../domain/location.ts';
import { queryFor } from '../http/query-client.ts';

export const useMarket = (id: number) => useQuery(queryFor(getMarket, { params: { id } }));
export const useMarketItems = (id: number) => useQuery(queryFor(listMarketInventory, { params: { id } }));

/** Sales over the last days; what was shown stays until another span is there. */
export const useSales = ({ type, id }: LocationRef, days: number) =>
  useQuery({
    ...queryFor(getLocationSales, { query: { type, id, days } }),
    placeholderData: (before) => before,
  });

export const useStockDays = ({ type, id }: LocationRef, days: number) =>
  useQuery({
    ...queryFor(getLocationStock, { query: { type, id, days } }),
    placeholderData: (before) => before,
  });
