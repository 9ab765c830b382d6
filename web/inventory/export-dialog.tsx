import { useEffect, useRef, useState } from 'react';
import type { InventoryRow } from '../../contract/inventory.ts';
import { officeStatus } from '../../domain/stock-status.ts';
import { sentenceOf } from '../http/client.ts';
import { formatNumber, today } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { type CsvColumn, csvOf, saveFile } from '../ui/csv-file.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type InventoryFilter, loadInventoryPage } from './api.ts';

const columns: readonly CsvColumn<InventoryRow>[] = [
  { header: 'Product', value: (item) => item.productName },
  { header: 'Market', value: (item) => item.marketName },
  { header: 'Market ID', value: (item) => item.marketId },
  { header: 'Current Stock', value: (item) => item.currentQuantity },
  { header: 'Minimum Stock', value: (item) => item.minimumQuantity },
  { header: 'Status', value: (item) => statusWords[officeStatus(item)] },
  { header: 'Last Restocked', value: (item) => item.lastRestocked },
  { header: 'Unit Cost', value: (item) => item.cost },
  { header: 'Unit Price', value: (item) => item.price },
];
const statusWords = { low: 'Low Stock', warning: 'Warning', 'in-stock': 'In Stock' } as const;

type Kind = 'csv' | 'json';
type Props = { filter: InventoryFilter; total: number; onClose: () => void };

/** Takes away every row that the filter shows, not only the page in sight. */
export function ExportDialog({ filter, total, onClose }: Props) {
  const { done, kind, failure, start } = useExport(filter, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Export ${formatNumber(total)} ${total === 1 ? 'item' : 'items'}`}
      description="Every row that the search and filter show, in their order."
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            icon="download"
            disabled={kind !== null}
            onClick={() => void start('json')}
            className="max-lg:min-h-12"
          >
            JSON
          </Button>
          <Button
            icon="download"
            variant="primary"
            disabled={kind !== null}
            onClick={() => void start('csv')}
            className="max-lg:min-h-12"
          >
            CSV
          </Button>
        </>
      }
    >
      {kind && (
        <div className="grid gap-2 pt-2">
          <progress
            aria-label="Export"
            value={done}
            max={Math.max(done, total)}
            className="h-2 w-full accent-(--accent)"
          />
          <p className="text-text-2" aria-live="polite">
            {formatNumber(done)} of {formatNumber(Math.max(done, total))} items read
          </p>
        </div>
      )}
      {failure && (
        <p role="alert" className="pt-2 text-bad-text">
          {failure}
        </p>
      )}
    </Dialog>
  );
}

function useExport(filter: InventoryFilter, onSaved: () => void) {
  const [kind, setKind] = useState<Kind | null>(null);
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  const start = async (wanted: Kind): Promise<void> => {
    setKind(wanted);
    setFailure(null);
    try {
      const rows: InventoryRow[] = [];
      for (let page: string | null = null, isFirst = true; isFirst || page; isFirst = false) {
        const found: Awaited<ReturnType<typeof loadInventoryPage>> = await loadInventoryPage(filter, page);
        if (closed.current) return;
        rows.push(...found.rows);
        setDone(rows.length);
        page = found.next;
      }
      save(wanted, rows);
      onSaved();
    } catch (error) {
      setFailure(sentenceOf(error));
      setKind(null);
    }
  };
  return { done, kind, failure, start };
}

function save(kind: Kind, rows: readonly InventoryRow[]): void {
  const name = `inventory-${today()}.${kind}`;
  if (kind === 'csv') saveFile(name, 'text/csv', csvOf(rows, columns));
  else saveFile(name, 'application/json', JSON.stringify(rows, null, 2));
}
