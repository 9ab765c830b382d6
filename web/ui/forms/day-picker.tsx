import type { MouseEvent } from 'react';
import { addDays } from '../../../domain/time.ts';
import { formatDay, today } from '../../http/format.ts';
import { Button, IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';

/** Without it only the platform's own sign, which is not seen, would open the picker. A browser that has no way to do so lets type. */
function openPicker({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  try {
    currentTarget.showPicker();
  } catch {
    currentTarget.focus();
  }
}

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
      <label className="relative flex h-8 items-center gap-2 rounded border border-line-strong bg-ground px-2 focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 print:border-0 max-lg:h-12 max-lg:text-16">
        <span className="sr-only">Date, </span>
        {formatDay(day)}
        <Icon name="calendar" />
        {/* The platform writes a date in its own way: its control lies unseen on top, and the day is written as everywhere. */}
        <input
          type="date"
          value={day}
          onClick={openPicker}
          onChange={(event) => event.target.value && onChange(event.target.value)}
          className="absolute inset-0 size-full opacity-0"
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
