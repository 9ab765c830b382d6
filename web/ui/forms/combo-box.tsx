import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

export type ComboOption = { key: string; label: string; detail?: string };

type Props = {
  label: string;
  /** What stands in the field. */
  text: string;
  onText: (text: string) => void;
  options: readonly ComboOption[];
  onChoose: (option: ComboOption) => void;
  onBlur?: () => void;
  placeholder?: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Said in the list when nothing matches; absent: the list is not shown then. */
  noHit?: string | undefined;
  loading?: boolean;
  className?: string;
};

/** A line of text with suggestions under it; arrow keys walk them, Enter takes one, Escape closes the list. */
export function ComboBox(props: Props) {
  const { label, text, onText, options, onChoose, onBlur, placeholder, hint, error, noHit, loading, className } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const current = options[at];
  const isShown = open && (options.length > 0 || (noHit !== undefined && !loading));
  const choose = (option: ComboOption): void => {
    onChoose(option);
    setOpen(false);
    setAt(-1);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      setAt((now) => Math.max(-1, Math.min(options.length - 1, now + step)));
    } else if (event.key === 'Enter' && isShown && current) {
      event.preventDefault();
      choose(current);
    } else if (event.key === 'Escape' && isShown) {
      // Closes the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className={`relative grid min-w-0 content-start gap-1 ${className ?? ''}`}>
      <label htmlFor={id} className="font-medium text-12 text-text-2">
        {label}
      </label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && current ? `${id}-${current.key}` : undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-message` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setOpen(true);
          setAt(-1);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          onBlur?.();
        }}
        onKeyDown={onKey}
        className={`h-8 w-full min-w-0 rounded border bg-ground px-2 max-lg:h-12 max-lg:text-16 ${error ? 'border-bad' : 'border-line-strong'}`}
      />
      {isShown && <Options {...{ id, label, options, at, noHit }} onChoose={choose} />}
      {(error || hint) && (
        <p id={`${id}-message`} className={`text-12 ${error ? 'text-bad-text' : 'text-text-3'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

type OptionsProps = Pick<Props, 'label' | 'options' | 'onChoose' | 'noHit'> & { id: string; at: number };

function Options({ id, label, options, at, noHit, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  // In a dialog the list may end under the buttons, and arrow keys may walk past what is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions make another list
  useEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' });
  }, [options.length]);
  useEffect(() => {
    list.current?.children.item(at)?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      className="absolute top-full right-0 left-0 z-20 mt-1 max-h-56 scroll-mb-2 overflow-auto rounded border border-line bg-raised p-1 shadow-float"
    >
      {options.length === 0 && <p className="px-2 py-1 text-text-2">{noHit}</p>}
      {options.map((option, index) => (
        <div
          key={option.key}
          id={`${id}-${option.key}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // Pressing must not take the focus: losing it closes the list before the click arrives.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          onKeyDown={() => undefined}
          className="flex min-h-8 cursor-pointer flex-col justify-center rounded px-2 py-1 hover:bg-hover aria-selected:bg-accent-soft max-lg:min-h-12"
        >
          <span className="truncate">{option.label}</span>
          {option.detail && <span className="truncate text-12 text-text-3">{option.detail}</span>}
        </div>
      ))}
    </div>
  );
}
