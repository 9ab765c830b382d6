import { useId } from 'react';
import { Icon } from '../icon.tsx';

type Props = {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  size?: 'office' | 'field';
};

/** As much as every search of a list takes. */
const mostSearched = 100;

export function SearchBox({ label, placeholder, value, onChange, size = 'office' }: Props) {
  const id = useId();
  return (
    <div className="relative min-w-0 print:has-placeholder-shown:hidden">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2 text-text-3">
        <Icon name="search" />
      </span>
      <input
        id={id}
        type="search"
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        maxLength={mostSearched}
        onChange={(event) => onChange(event.target.value)}
        className={`w-full rounded border border-line-strong print:border-0 bg-ground pr-2 pl-8 ${size === 'field' ? 'h-12 text-16' : 'h-8 max-lg:h-12 max-lg:text-16'}`}
      />
    </div>
  );
}
