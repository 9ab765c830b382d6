type Props<V extends string> = {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** In the field it is as high on a wide tablet as on a phone. */
  size?: keyof typeof sizes;
};

const sizes = { office: 'h-7.75 max-lg:h-12.25', field: 'h-12.25 min-w-12.25' };

/** A longer label may be cut where it stands: it is told whole where the pointer rests. */
const alwaysWhole = 16;

/** A few choices side by side, one pressed; where they do not fit they go on in a further row. */
export function Segmented<V extends string>({ label, options, value, onChange, size = 'office' }: Props<V>) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex min-w-0 max-w-full flex-wrap overflow-hidden rounded border border-line-ctl print:border-0"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          title={option.label.length > alwaysWhole ? option.label : undefined}
          onClick={() => onChange(option.value)}
          className={`${sizes[size]} -mt-px -ml-px max-w-60 grow truncate border-line border-t border-l bg-ground px-3 font-medium text-text-2 -outline-offset-2 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent print:border-0 print:aria-[pressed=false]:hidden max-lg:min-w-12.25 sm:max-lg:px-4`}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
