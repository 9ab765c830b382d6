import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Reply } from '../../../contract/endpoint.ts';
import {
  type InventoryRow,
  removeInventoryItems,
  restoreInventoryItems,
  setMinimums,
} from '../../../contract/inventory.ts';
import { ApiError, call, maySendAgain, sentenceOf } from '../../http/client.ts';
import { countOf, formatNumber } from '../../http/format.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { type InventoryFilter, itemsChanged, loadFirstItems } from '../api.ts';

const failed = { variant: 'destructive' } as const;

export function usePickAll(pickOnly: (rows: readonly InventoryRow[]) => void) {
  return useMutation({
    mutationFn: (filter: InventoryFilter) => loadFirstItems(filter),
    onSuccess: ({ rows }) => pickOnly(rows),
    onError: (error) => toast({ ...failed, title: 'Not selected', description: sentenceOf(error) }),
  });
}

type MinimumsSet = Reply<typeof setMinimums>['items'];

/** Each its own minimum again, unless somebody set another since. */
function useUndoMinimums() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (items: MinimumsSet) =>
      call(setMinimums, {
        body: { items: items.map(({ id, minimumQuantity: from, before }) => ({ id, minimumQuantity: before, from })) },
      }),
    onSuccess: ({ items }) => {
      toast({ title: 'Items Updated', description: `${countOf(items.length, 'item')}: the minimum from before again` });
      return itemsChanged(client);
    },
    onError: (error) => toast({ ...failed, title: 'Undo Failed', description: sentenceOf(error) }),
  });
}

type Wish = { ids: readonly number[]; minimumQuantity: number };

export function useSetMinimums() {
  const client = useQueryClient();
  const undo = useUndoMinimums();
  return useMutation({
    mutationFn: ({ ids, minimumQuantity }: Wish) =>
      call(setMinimums, { body: { items: ids.map((id) => ({ id, minimumQuantity })) } }),
    onSuccess: ({ items }, { minimumQuantity }) => {
      // What had this minimum before may be another's to set since: it would keep the rest from being undone.
      const changed = items.filter(({ before }) => before !== minimumQuantity);
      toast({
        title: 'Items Updated',
        description: `${countOf(items.length, 'item')}: minimum ${formatNumber(minimumQuantity)}`,
        ...(changed.length > 0 ? { action: { label: 'Undo', run: () => undo.mutate(changed) } } : {}),
      });
      return itemsChanged(client);
    },
  });
}

function useRestoreItems() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly number[]) => call(restoreInventoryItems, { body: { ids: [...ids] } }),
    onSuccess: ({ ids }) => {
      const areBack = ids.length === 1 ? 'is back at its market' : 'are back at their markets';
      toast({ title: 'Items Restored', description: `${countOf(ids.length, 'item')} ${areBack}` });
      return itemsChanged(client);
    },
    onError: (error) => toast({ ...failed, title: 'Undo Failed', description: sentenceOf(error) }),
  });
}

/** Every one of them is gone. */
const areAllGone = (error: unknown, ids: readonly number[]): boolean =>
  error instanceof ApiError && error.status === 404 && Object.keys(error.fields).length === ids.length;

export function useRemoveItems() {
  const client = useQueryClient();
  const restore = useRestoreItems();
  /** Sent without an answer: where they are gone at the next try, it was this one. */
  const unanswered = useRef<string | null>(null);
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      const asked = String(ids);
      try {
        return await call(removeInventoryItems, { body: { ids: [...ids] } });
      } catch (error) {
        if (unanswered.current === asked && areAllGone(error, ids)) return { ids: [...ids] };
        unanswered.current = maySendAgain(error) ? asked : null;
        throw error;
      }
    },
    onSuccess: ({ ids }) => {
      toast({
        title: 'Items Deleted',
        description: countOf(ids.length, 'item'),
        action: { label: 'Undo', run: () => restore.mutate(ids) },
      });
      return itemsChanged(client);
    },
  });
}
