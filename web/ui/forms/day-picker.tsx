import { addDays } from '../../../domain/time.ts';
import { formatDay, today } from '../../http/format.ts';
import { Button, IconButton } from '../button.tsx';

/** One day at a time, or any day by the platform's own picker. */
export function DayPicker({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  const now = today();
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Previous day"
        icon="left"
        className="max-lg:size-12"
        onClick={() => onChange(addDays(day, -1))}
      />
      <label className="relative">
        <span className="sr-only">Date, {formatDay(day)}</span>
        <input
          type="date"
          value={day}
          onChange={(event) => event.target.value && onChange(event.target.value)}
          className="h-8 rounded border border-line-strong print:border-0 bg-ground px-2 max-lg:h-12 max-lg:text-16"
        />
      </label>
      <IconButton label="Next day" icon="right" className="max-lg:size-12" onClick={() => onChange(addDays(day, 1))} />
      {day !== now && (
        <Button className="max-lg:h-12" onClick={() => onChange(now)}>
          Today
        </Button>
      )}
    </div>
  );
}
