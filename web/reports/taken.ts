import type { FileTable } from '../ui/tables/table-file.ts';

/** What a person takes away of a report. */
export type Taken = {
  /** All of it, as the server sent it. */
  data: unknown;
  /** Its main rows, as they are shown. */
  table: FileTable;
};
