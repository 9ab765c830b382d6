import { type MouseEvent, useId } from 'react';
import { formatDay } from '../../http/format.ts';
import { Icon } from '../icon.tsx';

/** Without it only the platform's own sign, which is not seen, would open the picker. A browser that has no way to do so lets type. */
function openPicker({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  try {
    currentTarget.showPicker();
  } catch {
    currentTarget.focus();
  }
}

type ControlProps = { day: string; onChange: (day: string) => void; id?: string; max?: string; label?: string };

/** The platform writes a date in its own way: its control lies unseen on top, and the day is written as everywhere. */
export function DayControl({ day, onChange, id, max, label }: ControlProps) {
  return (
    <>
      {formatDay(day)}
      <Icon name="calendar" />
      <input
        type="date"
        id={id}
        aria-label={label}
        value={day}
        max={max}
        onClick={openPicker}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
    </>
  );
}

/** The frame of a day that is chosen: the unseen control in it shows its focus by this. */
export const dayFrame =
  'relative flex h-8 items-center gap-2 rounded border border-line-strong bg-ground px-2 focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 print:border-0 max-lg:h-12 max-lg:text-16 lg:whitespace-nowrap';

type BoxProps = { label: string; day: string; max: string; onChange: (day: string) => void };

/** One day in a row of controls, its name for screen readers alone. */
export function DayBox(props: BoxProps) {
  return (
    <span className={dayFrame}>
      <DayControl {...props} />
    </span>
  );
}

type FieldProps = { label: string; day: string; onChange: (day: string) => void; className?: string };

/** One day in a form, its name above it. */
export function DayField({ label, day, onChange, className = '' }: FieldProps) {
  const id = useId();
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-12 text-text-2">
        {label}
      </label>
      <div className={`${dayFrame} justify-between`}>
        <DayControl id={id} day={day} onChange={onChange} />
      </div>
    </div>
  );
}
