import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  getImport,
  type ImportKind,
  type ImportUpload,
  maxUploadBytes,
  removeImport,
  runImport,
} from '../../contract/imports.ts';
import { ApiError, call, sendFile } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';

const reading = (id: number, kind: ImportKind) => queryFor(getImport, { params: { id }, query: { kind } });

/** A file's columns, read as one kind. */
export const useReading = (id: number, kind: ImportKind) => useQuery(reading(id, kind));

const refusal = (status: number, detail: string): ApiError => new ApiError(status, detail, { detail });

type Chosen = { file: File; kind: ImportKind | null };

/** Sends a file; its columns are known with the answer. */
export function useSendFile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, kind }: Chosen): Promise<ImportUpload> => {
      if (file.size === 0) throw refusal(400, `${file.name} is empty.`);
      if (file.size > maxUploadBytes) {
        const most = `at most ${formatNumber(maxUploadBytes / 1_000_000)} MB`;
        throw refusal(413, `${file.name} is too large: ${most}. Divide it and import the parts.`);
      }
      const query = new URLSearchParams({ name: file.name, ...(kind ? { kind } : {}) });
      // The shape is the contract's promise.
      return (await sendFile(`/api/imports?${query}`, file)) as ImportUpload;
    },
    onSuccess: (upload) => client.setQueryData(reading(upload.id, upload.kind).queryKey, upload),
  });
}

export type Meanings = Record<string, string | null>;
type Run = Parameters<typeof call<typeof runImport>>[1]['body'];

export function useRun(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Run) => call(runImport, { params: { id }, body }),
    onSuccess: ({ dryRun }) => {
      // Anything may show what was imported; the file's own columns stay as they are.
      const isOther = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => path !== getImport.path;
      return dryRun ? undefined : client.invalidateQueries({ predicate: isOther });
    },
  });
}

/** Lets go of a file that is not wanted any more; one that stays is removed after a day. */
export function dropFile(id: number): void {
  call(removeImport, { params: { id } }).catch(() => undefined);
}
