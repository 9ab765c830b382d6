import type { FileTable } from '../ui/tables/table-file.ts';

/** What a person takes away of a report. */
export type Taken = {
  /** All of it, as the server sent it. */
  data: unknown;
  /** Its main rows, as they are shown. */
  table: FileTable;
};

/** A share of the time as a file says it: to a hundredth of a percent, which is finer than it is known. */
export const shareInFile = (share: number | null): number | null =>
  share === null ? null : Math.round(share * 10_000) / 10_000;
