import type { PickLine, PickSheet } from '../../contract/picking.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { handlingLabel, toteNumbers } from './words.ts';

type Row = PickLine & { stopOrder: number; stopName: string; tote: string };

/** The list line by line, as a file has it. */
export const sheetToExport = (sheet: PickSheet): Exported<Row> => ({
  name: `pick-list-${sheet.route.routeId}`,
  one: 'line',
  many: 'lines',
  load: () => Promise.resolve({ rows: rowsOf(sheet), next: null }),
  columns: [
    { header: 'Stop', value: (row) => row.stopOrder },
    { header: 'Location', value: (row) => row.stopName },
    { header: 'Tote', value: (row) => row.tote },
    { header: 'Kind', value: (row) => handlingLabel[row.handling] },
    { header: 'Slot', value: (row) => row.slotNumber },
    { header: 'Product', value: (row) => row.productName },
    { header: 'Units', value: (row) => row.planned },
    { header: 'Case size', value: (row) => row.caseSize },
    { header: 'Picked', value: (row) => row.picked },
    { header: 'Reason', value: (row) => row.reason },
    { header: 'Instead', value: (row) => row.instead?.name ?? null },
    { header: 'Units instead', value: (row) => row.instead?.units ?? null },
  ],
});

function rowsOf({ stops }: PickSheet): Row[] {
  return stops.flatMap((stop) =>
    stop.totes.flatMap((tote) =>
      tote.lines.map((line) => ({
        ...line,
        stopOrder: stop.stopOrder,
        stopName: stop.name,
        tote: toteNumbers(tote),
      })),
    ),
  );
}
