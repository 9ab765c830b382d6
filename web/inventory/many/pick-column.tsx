import type { ChangeEvent } from 'react';
import type { InventoryRow } from '../../../contract/inventory.ts';
import type { PagedColumn } from '../../ui/tables/paged-table.tsx';
import { nameOf } from '../stock-cell.tsx';
import type { Picking } from './use-picked.ts';

const boxClass = 'grid size-8 select-none items-center justify-items-start max-lg:size-12';

/** A box a row, and one for the whole page in the head. */
export function pickColumn(picking: Picking, rows: number): PagedColumn<InventoryRow> {
  const { picked, onPage, pick, pickPage } = picking;
  const isWhole = rows > 0 && onPage === rows;
  return {
    key: 'pick',
    header: 'Select',
    className: 'w-12 max-lg:w-16 print:hidden',
    head: (
      <label className={boxClass}>
        <span className="sr-only">Select all on this page</span>
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isWhole}
          ref={(box) => {
            if (box) box.indeterminate = onPage > 0 && !isWhole;
          }}
          onChange={({ target }) => pickPage(target.checked)}
        />
      </label>
    ),
    cell: (row) => (
      <label className={boxClass}>
        <span className="sr-only">Select {nameOf(row)}</span>
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={picked.has(row.id)}
          onChange={(event) => pick(row, event.target.checked, withShift(event))}
        />
      </label>
    ),
  };
}

/** A box is changed by a click, also by the one that a key makes. */
function withShift({ nativeEvent }: ChangeEvent): boolean {
  return 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
}
