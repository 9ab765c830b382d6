import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addDexRead, getDexLinks, getDexRead, listDexReads, saveDexLinks } from '../../contract/dex.ts';
import { call, maySendAgain, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

/** Files of a machine, the latest first, page after page. */
export function useDexReads(id: number) {
  return useInfiniteQuery({
    queryKey: [listDexReads.path, { id }],
    queryFn: ({ pageParam }) =>
      call(listDexReads, { params: { id }, query: { limit: 10, ...(pageParam ? { cursor: pageParam } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export const useDexRead = (id: number, readId: number) => useQuery(queryFor(getDexRead, { params: { id, readId } }));
export const useDexLinks = (id: number) => useQuery(queryFor(getDexLinks, { params: { id } }));

/** A DEX file is a few kilobytes; the call takes at most 900,000 characters, which are 675 kB of file. */
export const mostBytes = 675_000;

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

export function useAddDexRead(id: number) {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > mostBytes) throw new Error('This file is too large for a DEX file.');
      return call(addDexRead, { params: { id }, body: { content: await base64Of(file), encoding: 'base64' } });
    },
    onSuccess: ({ message }) => {
      toast({ title: 'DEX file read', description: message });
      return client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).includes('/dex-') || String(path).includes('/location-sales'),
      });
    },
    onError: (error, file) =>
      toast({
        variant: 'destructive',
        title: 'File not taken',
        description:
          error instanceof Error && error.message.startsWith('This file') ? error.message : sentenceOf(error),
        ...(maySendAgain(error) ? { action: { label: 'Send it again', run: () => add.mutate(file) } } : {}),
      }),
  });
  return add;
}

export function useSaveDexLinks(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (links: { selection: string; slotNumber: string }[]) =>
      call(saveDexLinks, { params: { id }, body: { links } }),
    onSuccess: () => {
      toast({ title: 'Slots saved', description: 'From the next reading on, sales go to these slots.' });
      return client.invalidateQueries({ queryKey: [getDexLinks.path] });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not saved', description: sentenceOf(error) }),
  });
}
