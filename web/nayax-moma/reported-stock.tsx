import { useState } from 'react';
import type { ReportedStock as Reported } from '../../contract/moma.ts';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime, formatNumber, formatSigned } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { useReportedStock } from './api.ts';

type Row = Reported['rows'][number];

/** What Nayax believes of a machine beside our ledger; nothing is shown of a machine that it does not tell of. */
export function ReportedStock({ machineId }: { machineId: number }) {
  const mayRead = useMay('office:read');
  const [showsAll, setShowsAll] = useState(false);
  const { data } = useReportedStock(machineId, mayRead);
  if (!data || data.rows.length === 0) return null;
  const different = data.rows.filter(differs);
  const shown = showsAll ? data.rows : different;
  return (
    <Card
      title="What Nayax reports"
      count={different.length === 0 ? 'the same as ours' : `${formatNumber(different.length)} different`}
      actions={
        different.length < data.rows.length && (
          <Button className="max-lg:min-h-12" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Differences only' : `Show all ${data.rows.length}`}
          </Button>
        )
      }
      {...(data.toldAt ? { footer: <Told at={data.toldAt} /> } : {})}
    >
      <DataTable
        label="What Nayax reports"
        name="reported"
        rows={shown}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<p className="p-4 text-text-2">Every slot has the number that Nayax believes.</p>}
      />
    </Card>
  );
}

const differs = ({ theirs, ours }: Row): boolean => ours !== theirs;

function Told({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      Changed {relativeTime(new Date(at), new Date())}. A count here always stands over it.
    </time>
  );
}

const columns: Column<Row>[] = [
  { key: 'slot', header: 'Slot', className: 'w-16 max-sm:w-14', cell: (row) => row.slotNumber ?? '' },
  { key: 'product', header: 'Product', className: 'max-sm:whitespace-normal', cell: (row) => row.productName },
  { key: 'ours', header: 'Here', align: 'right', className: 'w-20 max-sm:w-15', cell: (row) => row.ours ?? 'No slot' },
  { key: 'theirs', header: 'Nayax', align: 'right', className: 'w-20 max-sm:w-14', cell: (row) => row.theirs },
  { key: 'difference', header: 'Difference', align: 'right', className: 'w-24', cell: difference },
];

function difference({ ours, theirs }: Row): string {
  if (ours === null) return '';
  return formatSigned(theirs - ours);
}
