import { useId } from 'react';
import { today } from '../../http/format.ts';
import { DayControl, dayFrameOf } from './day-field.tsx';
import { Message } from './text-field.tsx';

type Props = {
  label: string;
  /** `YYYY-MM-DDTHH:MM` on the operator's clock; empty where none is chosen. */
  value: string;
  onChange: (moment: string) => void;
  onBlur?: () => void;
  /** `HH:MM` that a day gets until another is chosen. */
  usualTime: string;
  /** What is written where no day is chosen. */
  empty: string;
  error?: string | undefined;
  hint?: string | undefined;
  className?: string;
};

/** A day and a time side by side: a day alone has its usual time, a time alone is today's. */
export function MomentField({ label, value, onChange, onBlur, usualTime, empty, error, hint, className = '' }: Props) {
  const id = useId();
  const [day = '', time = ''] = value.split('T');
  const described = error || hint ? `${id}-message` : undefined;
  const shared = { 'aria-invalid': error ? true : undefined, 'aria-describedby': described, onBlur };
  return (
    <fieldset className={`min-w-0 ${className}`}>
      <legend className="pb-1 font-medium text-12 text-text-2">{label}</legend>
      <div className="flex gap-2 pb-1">
        <div className={`${dayFrameOf(error)} min-w-0 flex-1 justify-between`}>
          <DayControl
            {...shared}
            label={`${label}, day`}
            empty={empty}
            day={day}
            onChange={(chosen) => onChange(chosen === '' ? '' : `${chosen}T${time || usualTime}`)}
          />
        </div>
        <input
          {...shared}
          type="time"
          aria-label={`${label}, time`}
          value={time}
          onChange={({ target }) => target.value !== '' && onChange(`${day || today()}T${target.value}`)}
          className={`h-8 w-30 flex-none rounded border bg-ground px-2 max-lg:h-12 max-lg:text-16 ${error ? 'border-bad' : 'border-line-strong'}`}
        />
      </div>
      <Message id={described} error={error} hint={hint} />
    </fieldset>
  );
}
