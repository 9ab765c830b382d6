import { useId } from 'react';
import { addDays } from '../../../domain/time.ts';
import { today } from '../../http/format.ts';
import { Button, IconButton } from '../button.tsx';
import { DayControl, dayFrameOf } from './day-field.tsx';

type Props = { day: string; onChange: (day: string) => void; className?: string };

/** One day at a time, or any day by the platform's own picker. */
export function DayPicker({ day, onChange, className = '' }: Props) {
  const now = today();
  const id = useId();
  return (
    <div className={`flex items-center gap-1 ${className}`}>
      <IconButton
        label="Previous day"
        icon="left"
        className="max-lg:size-12"
        onClick={() => onChange(addDays(day, -1))}
      />
      <label htmlFor={id} className={`${dayFrameOf()} max-sm:flex-1 max-sm:justify-center`}>
        <span className="sr-only">Date, </span>
        <DayControl id={id} day={day} onChange={onChange} />
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
