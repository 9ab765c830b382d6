import { type InputHTMLAttributes, type MouseEvent, useId } from 'react';
import { formatDay } from '../../http/format.ts';
import { Icon } from '../icon.tsx';
import { Message } from './text-field.tsx';

/** Without it only the platform's own sign, which is not seen, would open the picker. A browser that has no way to do so lets type. */
function openPicker({ currentTarget }: MouseEvent<HTMLInputElement>): void {
  try {
    currentTarget.showPicker();
  } catch {
    currentTarget.focus();
  }
}

type ControlProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & {
  day: string;
  onChange: (day: string) => void;
  label?: string;
  /** What is written where no day is chosen; without it there is always one. */
  empty?: string | undefined;
};

/** What is typed part by part into a control without a day is seen there: there is no day yet to write. */
const unseen = 'absolute inset-0 size-full cursor-pointer opacity-0';
const typedInto = `${unseen} rounded bg-ground px-2 focus:opacity-100`;

/** The platform writes a date in its own way: its control lies unseen on top, and the day is written as everywhere. */
export function DayControl({ day, onChange, label, empty, ...rest }: ControlProps) {
  return (
    <>
      {day === '' ? <span className="text-text-3">{empty}</span> : formatDay(day)}
      <Icon name="calendar" />
      <input
        {...rest}
        type="date"
        aria-label={label}
        value={day}
        onClick={openPicker}
        onChange={({ target }) => (target.value !== '' || empty !== undefined) && onChange(target.value)}
        className={day === '' ? typedInto : unseen}
      />
    </>
  );
}

const frame =
  'relative flex h-8 items-center gap-2 rounded border bg-ground px-2 focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2 print:border-0 max-lg:h-12 max-lg:text-16 lg:whitespace-nowrap';

/** The frame of a day that is chosen: the unseen control in it shows its focus by this. */
export const dayFrameOf = (error?: string): string => `${frame} ${error ? 'border-bad' : 'border-line-strong'}`;

type BoxProps = { label: string; day: string; max: string; onChange: (day: string) => void };

/** One day in a row of controls, its name for screen readers alone. */
export function DayBox(props: BoxProps) {
  return (
    <span className={dayFrameOf()}>
      <DayControl {...props} />
    </span>
  );
}

type FieldProps = {
  label: string;
  value: string;
  onChange: (day: string) => void;
  onBlur?: () => void;
  max?: string;
  empty?: string;
  error?: string | undefined;
  className?: string;
};

/** One day in a form, its name above it. */
export function DayField({ label, value, error, className = '', ...rest }: FieldProps) {
  const id = useId();
  const described = error ? `${id}-message` : undefined;
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-12 text-text-2">
        {label}
      </label>
      <div className={`${dayFrameOf(error)} justify-between`}>
        <DayControl
          {...rest}
          id={id}
          day={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
        />
      </div>
      <Message id={described} error={error} />
    </div>
  );
}
