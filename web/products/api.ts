import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createProduct,
  getProduct,
  mergeProducts,
  type Product,
  pageProductPlaces,
  pageProducts,
  removePicture,
  unmergeProduct,
  updateProduct,
} from '../../contract/products.ts';
import type { ProductInput } from '../../domain/product.ts';
import { ApiError, call, sendPicture, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export const gaps = ['all', 'cost', 'price', 'barcode'] as const;
export type Gap = (typeof gaps)[number];
export type ProductFilter = { search: string; gaps: Gap; sort: string };

type PageQuery = Parameters<typeof call<typeof pageProducts>>[1]['query'];

/** The filter as the server takes it; a sort of the address that it does not know is refused there with a sentence. */
function asked({ search, gaps: lacking, sort }: ProductFilter): PageQuery {
  return { gaps: lacking, sort: sort as NonNullable<PageQuery['sort']>, ...(search ? { search } : {}) };
}

export function useProductPage(filter: ProductFilter, page: string | null) {
  const query = { ...asked(filter), ...(page ? { page } : {}) };
  return useQuery({ ...queryFor(pageProducts, { query }), placeholderData: keepPreviousData });
}

/** Pages for an export: large ones, one after the other. */
export function loadProductPage(filter: ProductFilter, page: string | null) {
  return call(pageProducts, { query: { ...asked(filter), limit: 1000, ...(page ? { page } : {}) } });
}

export const useProduct = (id: number) => useQuery(queryFor(getProduct, { params: { id } }));

type PlacesWish = { sort: string; page: string | null; limit?: number };
type PlacesQuery = Parameters<typeof call<typeof pageProductPlaces>>[1]['query'];

const placesOf = (id: number, { sort, page, limit }: PlacesWish) => ({
  params: { id },
  query: {
    sort: sort as NonNullable<PlacesQuery['sort']>,
    ...(page ? { page } : {}),
    ...(limit ? { limit } : {}),
  },
});

export const useProductPlaces = (id: number, wish: PlacesWish) =>
  useQuery({ ...queryFor(pageProductPlaces, placesOf(id, wish)), placeholderData: keepPreviousData });
export const loadPlacesPage = (id: number, wish: PlacesWish) => call(pageProductPlaces, placesOf(id, wish));

/** Everything that shows products or counts with them. */
const shownIn = [
  '/api/products',
  '/api/inventory',
  '/api/vending-machine',
  '/api/location-',
  '/api/reports',
  '/api/dashboard',
];

function productsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

/** Sends a picture of the product, as it is: the server draws it anew. */
export function useSendPicture(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => sendPicture(`/api/products/${id}/picture`, file),
    onSuccess: () => productsChanged(client),
  });
}

export function useRemovePicture(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(removePicture, { params: { id } }),
    onSuccess: () => productsChanged(client),
  });
}

export const loadProduct = (id: number): Promise<Product> => call(getProduct, { params: { id } });

export function useSaveProduct(product: Product | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProductInput): Promise<Product> =>
      product
        ? call(updateProduct, { params: { id: product.id }, body }, versionOf(product))
        : call(createProduct, { body }),
    onSuccess: ({ name }) => {
      toast({ title: product ? 'Product Updated' : 'Product Created', description: name });
      return productsChanged(client);
    },
  });
}

const versionOf = ({ version }: Product) => (version === undefined ? {} : { version });

type Merge = { kept: number; merged: readonly number[] };

export const previewMerge = ({ kept, merged }: Merge) =>
  call(mergeProducts, { params: { id: kept }, body: { merged: [...merged], dryRun: true } });

type Merged = { kept: Pick<Product, 'name'>; merged: readonly Pick<Product, 'id' | 'name'>[] };

/** All of them are names of this one already: null where one is not. */
async function mergedBefore({ kept, merged }: Merge): Promise<Merged | null> {
  const card = await call(getProduct, { params: { id: kept } });
  const names = card.names.filter(({ id }) => merged.includes(id));
  return names.length === merged.length ? { kept: card, merged: names } : null;
}

/** A try whose answer got lost was not in vain: what the next one finds refused is done. */
async function mergeOnce(wish: Merge): Promise<Merged> {
  try {
    return await call(mergeProducts, { params: { id: wish.kept }, body: { merged: [...wish.merged] } });
  } catch (error) {
    const isTaken = error instanceof ApiError && error.code === 'conflict';
    const before = isTaken ? await mergedBefore(wish).catch(() => null) : null;
    if (before) return before;
    throw error;
  }
}

export function useMergeProducts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: mergeOnce,
    onSuccess: ({ kept, merged }) => {
      const names = merged.map(({ name }) => name).join(', ');
      toast({
        title: 'Products Merged',
        description: `${names} ${merged.length === 1 ? 'is' : 'are'} ${kept.name} now`,
        action: { label: 'Undo', run: () => void undo(client, merged) },
      });
      return productsChanged(client);
    },
  });
}

/** The last one first, as they were merged. */
async function undo(client: QueryClient, merged: readonly { id: number }[]): Promise<void> {
  try {
    for (const { id } of merged.toReversed()) await call(unmergeProduct, { params: { id } });
  } catch (error) {
    toast({ variant: 'destructive', title: 'Undo Failed', description: sentenceOf(error) });
  }
  await productsChanged(client);
}

export function useUnmerge() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(unmergeProduct, { params: { id } }),
    onSuccess: ({ name }) => {
      toast({ title: 'Merge Undone', description: `${name} is a product of its own again` });
      return productsChanged(client);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Undo Failed', description: sentenceOf(error) }),
  });
}
