import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { queryOf, type Wish } from './wish.ts';

const formats = [
  { value: 'csv', label: 'CSV', text: 'For a spreadsheet or another program' },
  { value: 'xlsx', label: 'XLSX', text: 'A workbook for Excel, up to 100,000 payments' },
  { value: 'json', label: 'JSON', text: 'Every field, as the API has it' },
];

/** The rows behind the report as a file, written by the server while it reads them. */
export function PaymentExport({ wish, lines, onClose }: { wish: Wish; lines: number; onClose: () => void }) {
  const addressOf = (format: string): string =>
    `/api/payment-reports/export?${new URLSearchParams({ ...queryOf(wish), format })}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Export ${countOf(lines, 'payment')}`}
      description="Exactly the payments of the days and the tab shown."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="grid gap-2">
        {formats.map(({ value, label, text }) => (
          <li key={value}>
            <a
              href={addressOf(value)}
              download
              onClick={onClose}
              className="flex min-h-12 items-center justify-between gap-4 rounded border border-line-ctl px-3 py-2 hover:bg-hover"
            >
              <span className="font-medium">{label}</span>
              <span className="text-right text-12 text-text-3">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
