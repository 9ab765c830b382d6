import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import { offLook } from './off-look.ts';

type Shared = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
  size?: 'office' | 'field';
};
type FieldProps = Shared &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'size'> & { unit?: string };

const border = (error: string | undefined): string => (error ? 'border-bad' : 'border-line-strong');
const height = (size: 'office' | 'field'): string =>
  size === 'field' ? 'h-12 px-3 text-16' : 'h-8 px-2 max-lg:h-12 max-lg:text-16';

/** A labelled line of text; its error is named to screen readers. */
export function TextField({
  label,
  value,
  onChange,
  error,
  hint,
  unit,
  size = 'office',
  className = '',
  ...rest
}: FieldProps) {
  const id = useId();
  const described = error || hint ? `${id}-message` : undefined;
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-12 text-text-2">
        {label}
        {unit && `, ${unit}`}
      </label>
      <input
        {...rest}
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
        onChange={(event) => onChange(event.target.value)}
        className={`w-full min-w-0 rounded border bg-ground ${offLook} ${border(error)} ${height(size)}`}
      />
      <Message id={described} error={error} hint={hint} />
    </div>
  );
}

type AreaProps = Shared & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange'>;

export function TextArea({ label, value, onChange, error, hint, size: _, className = '', ...rest }: AreaProps) {
  const id = useId();
  const described = error || hint ? `${id}-message` : undefined;
  return (
    <div className={`grid min-w-0 content-start gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium text-12 text-text-2">
        {label}
      </label>
      <textarea
        rows={3}
        {...rest}
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
        onChange={(event) => onChange(event.target.value)}
        className={`w-full min-w-0 rounded border bg-ground px-2 py-1.5 max-lg:text-16 ${offLook} ${border(error)}`}
      />
      <Message id={described} error={error} hint={hint} />
    </div>
  );
}

type MessageProps = { id: string | undefined; error: string | undefined; hint?: string | undefined };

/** Under a control: what is wrong with it, or what to know of it. */
export function Message({ id, error, hint }: MessageProps) {
  if (!id) return null;
  return (
    <p id={id} className={`text-12 ${error ? 'text-bad-text' : 'text-text-3'}`}>
      {error ?? hint}
    </p>
  );
}
