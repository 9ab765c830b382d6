type Props<V extends string> = {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** A few choices side by side, one pressed. */
export function Segmented<V extends string>({ label, options, value, onChange }: Props<V>) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex h-8 overflow-hidden rounded border border-line-ctl max-lg:h-12.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="whitespace-nowrap border-line border-l bg-ground px-3 font-medium text-text-2 -outline-offset-2 first:border-l-0 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent max-lg:px-4"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
