import { type ClipboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

const codeLength = 6;
const places = Array.from({ length: codeLength }, (_, place) => place);

type Range = { from: number; to: number };

type Props = {
  label: string;
  /** Where a heading beside it says the same to the eye. */
  isLabelHidden?: boolean;
  value: string;
  onChange: (code: string) => void;
  /** What is wrong with the code as it stands. */
  error?: string | null;
};

/**
 * Six digits, a box for each. It is one field with boxes drawn under it: only so can a phone fill in the code of its message, a
 * code be pasted whole, and a screen reader read it as one.
 */
export function CodeBoxes({ label, isLabelHidden = false, value, onChange, error = null }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [range, setRange] = useState<Range | null>(null);
  const follow = (): void => setRange(rangeOf(input.current));
  /** A whole code stands for what is there, wherever the caret is; of a part the browser makes what it makes of any text. */
  const onPaste = (event: ClipboardEvent): void => {
    const digits = event.clipboardData.getData('text').replace(/\D/g, '');
    if (digits.length < codeLength) return;
    event.preventDefault();
    onChange(digits.slice(0, codeLength));
  };
  // A filled code moves the caret without a key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret follows what is typed
  useLayoutEffect(follow, [value]);
  useEffect(() => {
    // What is typed next stands for the wrong code.
    if (error === null) return;
    input.current?.focus();
    input.current?.select();
    setRange(rangeOf(input.current));
  }, [error]);
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-medium text-12 text-text-2'}>
        {label}
      </label>
      <div className="@container relative grid h-16 grid-cols-6 gap-2">
        {places.map((place) => (
          <Box key={place} digit={value[place]} range={inBox(range, place)} isWrong={error !== null} />
        ))}
        <div className="absolute inset-0 overflow-hidden">
          <input
            ref={input}
            id={id}
            value={value}
            onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, codeLength))}
            onPaste={onPaste}
            onSelect={follow}
            onFocus={follow}
            onBlur={() => setRange(null)}
            aria-invalid={error === null ? undefined : true}
            aria-describedby={error === null ? undefined : `${id}-message`}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            // biome-ignore lint/a11y/noAutofocus: the person came here to type the code, and a phone offers it only then
            autoFocus
            className={overBoxes}
          />
        </div>
      </div>
      {error !== null && (
        <p id={`${id}-message`} className="text-12 text-bad-text">
          {error}
        </p>
      )}
    </div>
  );
}

/**
 * Unseen, but not by opacity, for which a phone would not offer to paste. Its digits stand where the boxes are, so that a finger
 * on a box sets the caret there, and it is wider than they are, so that it does not scroll behind the last.
 */
const overBoxes = [
  'h-full w-[200%] bg-transparent font-mono text-28 text-transparent caret-transparent outline-none',
  'pl-[calc((100cqw-40px)/12-0.5ch)] tracking-[calc((100cqw+8px)/6-1ch)] [forced-color-adjust:none]',
  'selection:bg-transparent selection:text-transparent autofill:opacity-0',
].join(' ');

function rangeOf(input: HTMLInputElement | null): Range | null {
  if (!input || document.activeElement !== input) return null;
  return { from: input.selectionStart ?? 0, to: input.selectionEnd ?? 0 };
}

/** What of the selection is in a box: the caret behind the last digit of a whole code stands in its box. */
function inBox(range: Range | null, place: number): 'caret' | 'end' | 'chosen' | null {
  if (!range) return null;
  const { from, to } = range;
  if (from !== to) return place >= from && place < to ? 'chosen' : null;
  if (place === from) return 'caret';
  return from === codeLength && place === codeLength - 1 ? 'end' : null;
}

type BoxProps = { digit: string | undefined; range: ReturnType<typeof inBox>; isWrong: boolean };

function Box({ digit, range, isWrong }: BoxProps) {
  const edge = isWrong ? 'border-bad' : 'border-line-strong';
  const ring = isWrong ? 'outline-bad' : 'outline-focus';
  return (
    <span
      aria-hidden
      className={`flex items-center justify-center rounded border font-semibold text-28 ${edge} ${range ? `outline-2 -outline-offset-1 ${ring}` : ''} ${range === 'chosen' ? 'bg-accent-soft' : 'bg-ground'}`}
    >
      {range === 'caret' && <span className="h-8 w-0.5 bg-accent" />}
      {digit}
      {range === 'end' && <span className="h-8 w-0.5 bg-accent" />}
    </span>
  );
}
