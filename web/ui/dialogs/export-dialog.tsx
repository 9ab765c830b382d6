import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../http/client.ts';
import { formatNumber, today } from '../../http/format.ts';
import { Button } from '../button.tsx';
import { type FileColumn, saveFile, saveTable, type TableFormat, tableOf } from '../tables/table-file.ts';
import { Dialog } from './dialog.tsx';

type Format = TableFormat | 'json';

/** What is taken away: `name` begins the file's, `one` and `many` call a row. */
export type Exported<R> = {
  name: string;
  one: string;
  many: string;
  columns: readonly FileColumn<R>[];
  /** Which rows they are, where it is not all that are shown. */
  about?: string;
  /** A page of the rows that the filter shows; `next` is null on the last. */
  load: (page: string | null) => Promise<{ rows: readonly R[]; next: string | null }>;
};

type Props<R> = Exported<R> & { total: number; onClose: () => void };

/** Takes away every row that the filter shows, not only the page in sight. */
export function ExportDialog<R>({ total, onClose, ...exported }: Props<R>) {
  const { done, format, failure, start } = useExport(exported, onClose);
  const { one, many, about = 'Every row that the search and filter show, in their order.' } = exported;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Export ${formatNumber(total)} ${total === 1 ? one : many}`}
      description={about}
      footer={
        <div className="flex w-full gap-2 max-sm:grid max-sm:grid-cols-2">
          <Button onClick={onClose} className="max-lg:min-h-12 sm:mr-auto">
            Cancel
          </Button>
          {formats.map(({ value, label }) => (
            <Button
              key={value}
              icon="download"
              variant={value === 'csv' ? 'primary' : 'secondary'}
              disabled={format !== null}
              onClick={() => void start(value)}
              className="max-lg:min-h-12"
            >
              {label}
            </Button>
          ))}
        </div>
      }
    >
      {format && (
        <div className="grid gap-2 pt-2">
          <progress
            aria-label="Export"
            value={done}
            max={Math.max(done, total)}
            className="h-2 w-full accent-(--accent)"
          />
          <p className="text-text-2" aria-live="polite">
            {formatNumber(done)} of {formatNumber(Math.max(done, total))} {many} read
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

const formats: readonly { value: Format; label: string }[] = [
  { value: 'json', label: 'JSON' },
  { value: 'xlsx', label: 'Excel' },
  { value: 'csv', label: 'CSV' },
];

function useExport<R>(exported: Exported<R>, onSaved: () => void) {
  const [format, setFormat] = useState<Format | null>(null);
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  const start = async (wanted: Format): Promise<void> => {
    setFormat(wanted);
    setFailure(null);
    try {
      const rows: R[] = [];
      let page: string | null = null;
      do {
        const found = await exported.load(page);
        if (closed.current) return;
        for (const row of found.rows) rows.push(row);
        setDone(rows.length);
        page = found.next;
      } while (page !== null);
      await save(wanted, rows, exported);
      onSaved();
    } catch (error) {
      setFailure(sentenceOf(error));
      setFormat(null);
    }
  };
  return { done, format, failure, start };
}

async function save<R>(format: Format, rows: readonly R[], { name, columns }: Exported<R>): Promise<void> {
  const dated = `${name}-${today()}`;
  if (format === 'json') saveFile(`${dated}.json`, 'application/json', JSON.stringify(rows, null, 2), rows.length);
  else await saveTable(format, dated, tableOf(rows, columns));
}
