import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listIntegrations } from '../../contract/integrations.ts';
import {
  createInventoryItem,
  getInventoryItem,
  getInventorySummary,
  type InventoryItem,
  type InventoryRow,
  pageInventory,
  removeInventoryItem,
  restoreInventoryItem,
  type StockFilter,
  updateInventoryItem,
} from '../../contract/inventory.ts';
import { listProducts } from '../../contract/products.ts';
import { type InventoryItemInput, type InventoryItemUpdate, mostItemsAtOnce } from '../../domain/inventory-edit.ts';
import { ApiError, call } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type InventoryFilter = { search: string; stock: StockFilter; market: number | null; sort: string };

type PageQuery = Parameters<typeof call<typeof pageInventory>>[1]['query'];

/** The filter as the server takes it. */
function asked({ search, stock, market, sort }: InventoryFilter): PageQuery {
  return {
    stock,
    // The address may name any sort; one the server does not know is refused there with a sentence.
    sort: sort as NonNullable<PageQuery['sort']>,
    ...(search ? { search } : {}),
    ...(market ? { market } : {}),
  };
}

export function useInventoryPage(filter: InventoryFilter, page: string | null) {
  const query = { ...asked(filter), ...(page ? { page } : {}) };
  return useQuery({ ...queryFor(pageInventory, { query }), placeholderData: keepPreviousData });
}

/** Pages for an export: large ones, one after the other. */
export function loadInventoryPage(filter: InventoryFilter, page: string | null) {
  return call(pageInventory, { query: { ...asked(filter), limit: 1000, ...(page ? { page } : {}) } });
}

/** The first items of a filter, as many as may be changed at once. */
export function loadFirstItems(filter: InventoryFilter) {
  return call(pageInventory, { query: { ...asked(filter), limit: mostItemsAtOnce } });
}

/** Named items as they are now. */
export function loadItems(ids: readonly number[], sort: InventoryFilter['sort']) {
  const everywhere = asked({ search: '', stock: 'all', market: null, sort });
  return call(pageInventory, { query: { ...everywhere, ids: ids.join(), limit: mostItemsAtOnce } });
}

export const useInventorySummary = () => useQuery(queryFor(getInventorySummary, {}));
export const useIntegrations = () => useQuery(queryFor(listIntegrations, {}));

const mostSuggestions = 12;
/** A longer name is searched by its beginning. */
const mostSearched = 100;

export function useProductSuggestions(search: string) {
  const query = { limit: mostSuggestions, ...(search ? { search: search.slice(0, mostSearched) } : {}) };
  return useQuery({ ...queryFor(listProducts, { query }), placeholderData: keepPreviousData });
}

/** The item that a market already has of a product of this name. */
export function useItemAt(marketId: number | null, productName: string): InventoryRow | null {
  const query = {
    stock: 'all',
    sort: 'product',
    market: marketId ?? 0,
    search: productName.slice(0, mostSearched),
  } as const;
  const wanted = marketId !== null && productName !== '';
  const { data } = useQuery({ ...queryFor(pageInventory, { query }), enabled: wanted });
  const name = productName.toLowerCase();
  return (wanted && data?.rows.find((row) => row.productName.toLowerCase() === name)) || null;
}

export const loadItem = (id: number): Promise<InventoryRow> => call(getInventoryItem, { params: { id } });

/** Everything that shows items or sums over them. */
const shownIn = ['/api/inventory', '/api/markets', '/api/dashboard', '/api/products', '/api/location-'];

export function itemsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

const failed = { variant: 'destructive' } as const;

/** The server's sentence, or the one for when there is none. */
export function reasonOf(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.code !== 'unknown' ? error.detail : otherwise;
}

export function useCreateItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InventoryItemInput): Promise<InventoryItem> => call(createInventoryItem, { body }),
    onSuccess: (item) => {
      toast({ title: 'Item Created', description: item.productName });
      return itemsChanged(client);
    },
    onError: (error) => {
      const description = reasonOf(error, 'Failed to create inventory item. Please try again.');
      toast({ ...failed, title: 'Creation Failed', description });
    },
  });
}

type Edit = { item: InventoryRow; body: InventoryItemUpdate };

export function useUpdateItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ item, body }: Edit): Promise<InventoryItem> =>
      call(updateInventoryItem, { params: { id: item.id }, body }, { version: item.version }),
    onSuccess: (item) => {
      toast({ title: 'Item Updated', description: item.productName });
      return itemsChanged(client);
    },
  });
}

type Count = { item: InventoryRow; quantity: number; before: number };

/** A count alone: it builds on nothing that was read. */
const sendCount = ({ id }: InventoryRow, currentQuantity: number): Promise<InventoryItem> =>
  call(updateInventoryItem, { params: { id }, body: { currentQuantity } });

/** `onRefused` is told also where the field that was typed into is gone by then. */
export function useCountItem(onRefused: (count: Count) => void) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: ({ item, before }: Count) => sendCount(item, before),
    onSuccess: ({ productName, currentQuantity }) => {
      toast({ title: 'Item Updated', description: `${productName}: ${formatNumber(currentQuantity)} again` });
      return itemsChanged(client);
    },
    onError: tellUpdateFailed,
  });
  return useMutation({
    mutationFn: ({ item, quantity }: Count) => sendCount(item, quantity),
    onSuccess: ({ productName, currentQuantity }, count) => {
      toast({
        title: 'Item Updated',
        description: `${productName}: ${formatNumber(currentQuantity)}`,
        action: { label: 'Undo', run: () => undo.mutate(count) },
      });
      return itemsChanged(client);
    },
    onError: (error, count) => {
      onRefused(count);
      tellUpdateFailed(error);
    },
  });
}

/** Said by the form, which may find that a refusal is none. */
export function tellUpdateFailed(error: unknown): void {
  const description = reasonOf(error, 'Failed to update inventory item. Please try again.');
  toast({ ...failed, title: 'Update Failed', description });
}

export function useRemoveItem() {
  const client = useQueryClient();
  const restore = useRestoreItem();
  return useMutation({
    mutationFn: ({ id }: InventoryRow) => call(removeInventoryItem, { params: { id } }),
    onSuccess: (_, item) => {
      toast({
        title: 'Item Deleted',
        description: `${item.productName} at ${item.marketName}`,
        action: { label: 'Undo', run: () => restore.mutate(item.id) },
      });
      return itemsChanged(client);
    },
    onError: () =>
      toast({
        ...failed,
        title: 'Delete Failed',
        description: 'Failed to delete inventory item. Please try again.',
      }),
  });
}

function useRestoreItem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(restoreInventoryItem, { params: { id } }),
    onSuccess: (item) => {
      toast({ title: 'Item Restored', description: `${item.productName} is back at ${item.marketName}` });
      return itemsChanged(client);
    },
    onError: (error) => {
      const description = reasonOf(error, 'The item could not be brought back. Add it again.');
      toast({ ...failed, title: 'Undo Failed', description });
    },
  });
}
