import { type SelectHTMLAttributes, useId } from 'react';
import { Icon } from '../icon.tsx';
import { offLook } from './off-look.ts';

type Props = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value' | 'size'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  hideLabel?: boolean;
  size?: 'office' | 'field';
  error?: string | undefined;
};

/** The platform's own select: fast with thousands of options, right on a phone. */
export function Select({
  label,
  value,
  onChange,
  options,
  hideLabel = false,
  size = 'office',
  error,
  className = '',
  ...rest
}: Props) {
  const id = useId();
  const isKnown = value === '' || options.some((option) => option.value === value);
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium text-12 text-text-2'}>
        {label}
      </label>
      <div className="relative">
        <select
          {...rest}
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={(event) => onChange(event.target.value)}
          className={`w-full appearance-none truncate rounded border print:border-0 print:pl-0 bg-ground pr-8 ${offLook} ${error ? 'border-bad' : 'border-line-strong'} ${size === 'field' ? 'h-12 pl-3 text-16' : 'h-8 pl-2 max-lg:h-12 max-lg:text-16'}`}
        >
          {/* A filter from an old link, say: the browser would show the first option for it. */}
          {!isKnown && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 text-text-3 print:hidden">
          <Icon name="down" size={12} />
        </span>
      </div>
      {error && (
        <p id={`${id}-error`} className="text-12 text-bad-text">
          {error}
        </p>
      )}
    </div>
  );
}
