import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import {
  getImport,
  type ImportKind,
  type ImportProgress,
  type ImportResult,
  type ImportUpload,
  listImports,
  maxUploadBytes,
  removeImport,
  type runImport,
  undoImport,
} from '../../contract/imports.ts';
import { ApiError, call, sendFile, sendForLines } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';

const reading = (id: number, kind: ImportKind) => queryFor(getImport, { params: { id }, query: { kind } });

/** A file's columns, read as one kind. */
export const useReading = (id: number, kind: ImportKind) => useQuery(reading(id, kind));

/** Largest file taken, in words. */
export const mostText = `${formatNumber(maxUploadBytes / 1_000_000)} MB`;

const refusal = (status: number, detail: string): ApiError => new ApiError(status, detail, { detail });

type Chosen = { file: File; kind: ImportKind | null };

/** Sends a file; its columns are known with the answer. */
export function useSendFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, kind }: Chosen): Promise<ImportUpload> => {
      if (file.size === 0) throw refusal(400, `${file.name} is empty.`);
      if (file.size > maxUploadBytes) {
        throw refusal(413, `${file.name} is too large: at most ${mostText}. Divide it and import the parts.`);
      }
      const query = new URLSearchParams({ name: file.name, ...(kind ? { kind } : {}) });
      // The shape is the contract's promise.
      return (await sendFile(`/api/imports?${query}`, file)) as ImportUpload;
    },
    onSuccess: (upload) => client.setQueryData(reading(upload.id, upload.kind).queryKey, upload),
  });
}

export type Meanings = Record<string, string | null>;
/** Latitude and longitude exchanged: the two columns, or the order in which one column has both. */
export function withSwappedPoints(meanings: Meanings): Meanings {
  const other: Record<string, string> = {
    latitude: 'longitude',
    longitude: 'latitude',
    geometry: 'latitudeFirst',
    latitudeFirst: 'geometry',
  };
  return Object.fromEntries(
    Object.entries(meanings).map(([column, field]) => [column, field === null ? null : (other[field] ?? field)]),
  );
}

type Run = Parameters<typeof call<typeof runImport>>[1]['body'];

/** How far an import is. */
export type Far = { read: number; done: number };

const isCancelled = (error: unknown): boolean => error instanceof ApiError && error.code === 'cancelled';

/** Checks or imports a file; it tells how far it is, and can be cancelled. */
export function useRun(id: number) {
  const client = useQueryClient();
  const [far, setFar] = useState<Far | null>(null);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  // Anything may show what was imported; the file's own columns stay as they are.
  const isOther = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => path !== getImport.path;
  const refresh = () => client.invalidateQueries({ predicate: isOther });
  const run = useMutation({
    mutationFn: (body: Run) => {
      setFar(null);
      ending.current = new AbortController();
      return watched(id, body, { signal: ending.current.signal, onFar: setFar });
    },
    onSuccess: ({ dryRun }) => (dryRun ? undefined : refresh()),
    // Cancelled in its last moment, or its answer lost, it may have been done all the same: the list of imports knows.
    onError: (_, { dryRun }) => (dryRun ? undefined : refresh()),
  });
  return { ...run, far, cancelled: isCancelled(run.error), cancel: () => ending.current?.abort() };
}

type Watching = { signal: AbortSignal; onFar: (far: Far) => void };

async function watched(id: number, body: Run, { signal, onFar }: Watching): Promise<ImportResult> {
  let result: ImportResult | null = null;
  await sendForLines(`/api/imports/${id}/watch`, body, {
    signal,
    onLine: (line) => {
      // The shape is the contract's promise.
      const told = line as ImportProgress;
      if ('problem' in told) throw new ApiError(told.problem.status, told.problem.detail, told.problem);
      if ('result' in told) result = told.result;
      else onFar(told);
    },
  });
  if (!result) throw new ApiError(0, 'The connection was lost. See below whether the file was imported.');
  return result;
}

/** Imports that were made, the newest first. */
export function usePastImports() {
  return useInfiniteQuery({
    queryKey: [listImports.path],
    queryFn: ({ pageParam }) => call(listImports, { query: pageParam === null ? {} : { before: pageParam } }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ imports, more }) => (more ? (imports.at(-1)?.id ?? null) : null),
  });
}

export function useUndoImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(undoImport, { params: { id } }),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Lets go of a file that is not wanted any more; one that stays is removed after a day. */
export function dropFile(id: number): void {
  call(removeImport, { params: { id } }).catch(() => undefined);
}
