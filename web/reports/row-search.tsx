import { AddressSearch } from '../ui/tables/address-search.tsx';
import type { Wish } from './wish.ts';

/** What a table needs whose rows the server searches, sorts and pages. */
export type PagedProps = {
  wish: Wish;
  set: (values: Record<string, string | null>) => void;
  /** The rows shown belong to what was asked before. */
  waiting: boolean;
};

/** `usual` is the order that a report opens with. */
export const tableProps = ({ wish, set, waiting }: PagedProps, usual = '-sales') => ({
  waiting,
  sort: wish.sort ?? usual,
  onSort: (sort: string) => set({ sort }),
  onPage: (page: string) => set({ page }),
});

/** Finds rows of a report; its sums stay those of all. */
export function RowSearch({ placeholder }: { placeholder: string }) {
  return (
    <span className="w-56 max-sm:w-full print:hidden">
      <AddressSearch label={placeholder} placeholder={placeholder} />
    </span>
  );
}
