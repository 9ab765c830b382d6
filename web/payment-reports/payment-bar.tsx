import { useState } from 'react';
import { maxReportDays } from '../../domain/report.ts';
import { today } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { DayBox } from '../ui/forms/day-field.tsx';
import { Select } from '../ui/forms/select.tsx';
import { PaymentExport } from './payment-export.tsx';
import type { Span, Wish } from './wish.ts';

const options: { value: Span; label: string }[] = [
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'quarter', label: 'Last 90 days' },
  { value: 'custom', label: 'Custom range' },
];

type Props = {
  wish: Wish;
  set: (values: Record<string, string | null>) => void;
  /** Payments shown; null while they load. */
  lines: number | null;
  print: () => void;
};

/** Which days, and how they are taken away. */
export function PaymentBar({ wish, set, lines, print }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="ml-auto flex flex-wrap items-end justify-end gap-2 max-sm:ml-0 max-sm:justify-start print:hidden">
      {wish.span === 'custom' && <Days wish={wish} set={set} />}
      <Select
        label="Date range"
        hideLabel
        value={wish.span}
        options={options}
        onChange={(range) =>
          set(range === 'custom' ? { range, from: today(), to: today() } : { range, from: null, to: null })
        }
      />
      <Button icon="print" disabled={lines === null} onClick={print} className="max-lg:h-12">
        Print
      </Button>
      <Button icon="download" disabled={!lines} onClick={() => setIsOpen(true)} className="max-lg:h-12">
        Export
      </Button>
      {isOpen && <PaymentExport wish={wish} lines={lines ?? 0} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function Days({ wish: { from, to }, set }: Pick<Props, 'wish' | 'set'>) {
  const [first, last] = [from ?? today(), to ?? today()];
  const problem = last < first ? 'The last day is before the first. Choose a later one.' : null;
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-2">
        <DayBox label="First day" day={first} max={today()} onChange={(day) => set({ from: day, to: last })} />
        <span className="text-text-3">to</span>
        <DayBox label="Last day" day={last} max={today()} onChange={(day) => set({ from: first, to: day })} />
      </div>
      <p className={`text-12 ${problem ? 'text-bad-text' : 'text-text-3'}`} role={problem ? 'alert' : undefined}>
        {problem ?? `At most ${maxReportDays} days.`}
      </p>
    </div>
  );
}
