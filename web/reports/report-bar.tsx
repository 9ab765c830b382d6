import { today } from '../http/format.ts';
import { useDesignations } from '../markets/api.ts';
import { Button } from '../ui/button.tsx';
import { DayBox } from '../ui/forms/day-field.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { Select } from '../ui/forms/select.tsx';
import type { TableFormat } from '../ui/tables/table-file.ts';
import { useSmallScreen } from '../ui/use-media.ts';
import { reportNames, reportTypes, type Span, type Wish } from './wish.ts';

const types = reportTypes.map((value) => ({ value, label: reportNames[value] }));
const spans: { value: Span; label: string }[] = [
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'custom', label: 'Other' },
];

type Props = {
  wish: Wish;
  set: (values: Record<string, string | null>) => void;
  /** Null while there is nothing to print or to take away. */
  onPrint: (() => void) | null;
  onExport: ((kind: 'json' | TableFormat) => void) | null;
};

/** What is looked at, and how it is taken away. */
export function ReportBar({ wish, set, onPrint, onExport }: Props) {
  const isSmall = useSmallScreen();
  const Choice = isSmall ? Picked : Segmented;
  const icon = isSmall ? {} : ({ icon: 'download' } as const);
  const days = wish.span === 'custom' && <Days wish={wish} set={set} />;
  return (
    <div className="flex flex-wrap items-end gap-2 print:hidden">
      <div className="flex w-full gap-2 *:grow sm:contents">
        <Choice label="Report type" options={types} value={wish.type} onChange={(type) => set({ type })} />
        <Choice
          label="Time range"
          options={spans}
          value={wish.span}
          onChange={(range) => set(range === 'custom' ? { range, ...daysOf(wish) } : { range, from: null, to: null })}
        />
        {!isSmall && days}
        <Routes wish={wish} set={set} />
      </div>
      {isSmall && days}
      <span className="flex gap-2 max-sm:w-full max-sm:*:grow sm:ml-auto sm:flex-wrap">
        <Button
          {...(isSmall ? {} : { icon: 'print' })}
          disabled={!onPrint}
          onClick={() => onPrint?.()}
          className="max-lg:h-12"
        >
          Print
        </Button>
        <Button {...icon} disabled={!onExport} onClick={() => onExport?.('csv')} className="max-lg:h-12">
          CSV
        </Button>
        <Button {...icon} disabled={!onExport} onClick={() => onExport?.('xlsx')} className="max-lg:h-12">
          Excel
        </Button>
        <Button {...icon} disabled={!onExport} onClick={() => onExport?.('json')} className="max-lg:h-12">
          Export Report
        </Button>
      </span>
    </div>
  );
}

type Choices<V extends string> = {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** The same choice where there is no room for all of it side by side. */
function Picked<V extends string>({ label, options, value, onChange }: Choices<V>) {
  const pick = (given: string): void => {
    const chosen = options.find((option) => option.value === given);
    if (chosen) onChange(chosen.value);
  };
  return <Select label={label} hideLabel value={value} options={options} onChange={pick} />;
}

const daysOf = ({ days }: Wish) => days ?? { from: today(), to: today() };

function Days({ wish, set }: Pick<Props, 'wish' | 'set'>) {
  const { from, to } = daysOf(wish);
  return (
    <>
      <DayBox label="First day" day={from} max={to} onChange={(day) => set({ from: day, to })} />
      <DayBox label="Last day" day={to} max={today()} onChange={(day) => set({ from, to: day })} />
    </>
  );
}

function Routes({ wish, set }: Pick<Props, 'wish' | 'set'>) {
  const { data = [] } = useDesignations();
  return (
    <Select
      label="Route"
      hideLabel
      value={wish.route ?? ''}
      onChange={(route) => set({ route: route || null })}
      options={[{ value: '', label: 'All Routes' }, ...data.map((value) => ({ value, label: `Route ${value}` }))]}
    />
  );
}
