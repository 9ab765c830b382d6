import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { readQuantity } from './quantity-text.ts';

type NumberPadProps = {
  label: string;
  quantity: number;
  /** Null where a shelf has no upper limit. */
  capacity: number | null;
  /** The number, or null when the person changed their mind. */
  onDone: (quantity: number | null) => void;
};

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const keyLook =
  'grid h-14 place-items-center rounded border border-line-strong bg-subtle text-28 font-semibold tabular-nums text-text touch-manipulation select-none active:bg-hover';

/** The product's own number pad: large keys for a glove. A keyboard, a hand scanner or a paste writes in the same box. */
export function NumberPad({ label, quantity, capacity, onDone }: NumberPadProps) {
  const [text, setText] = useState(String(quantity));
  // What stood there before is replaced by the first key, as a selected text would be.
  const [isFresh, setIsFresh] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    box.current?.focus();
    box.current?.select();
    box.current?.scrollIntoView({ block: 'nearest' });
    return () => {
      // Back to the number that was held: a keyboard goes on from there.
      const isLost = document.activeElement === document.body;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  const write = (next: string) => {
    setText(next);
    setIsFresh(false);
    setProblem(null);
  };
  const commit = () => {
    const read = readQuantity(text, capacity);
    if (read.problem === null) return onDone(read.quantity);
    setProblem(read.problem);
    box.current?.focus();
  };
  const onKey = (key: 'Enter' | 'Escape', act: () => void) => (event: KeyboardEvent) => {
    if (event.key !== key) return;
    // The focus is elsewhere right after: the same key would press the button that it went to, or close what is around the pad.
    event.preventDefault();
    act();
  };
  const live = problem ?? lateProblem(text, capacity);
  return (
    <>
      {/* The save lies under the pad: a press beside it sets what was typed and does nothing else. */}
      <button
        type="button"
        tabIndex={-1}
        aria-label="Close the number pad"
        className="fixed inset-0 z-50 cursor-default"
        onClick={isFresh ? () => onDone(null) : commit}
      />
      {/* Over the column that it belongs to: on a large screen that begins beside the menu. */}
      <div className="fixed inset-x-0 bottom-0 z-50 mx-auto max-h-dvh max-w-2xl overflow-y-auto border-t-2 border-line-strong bg-ground px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] lg:left-60">
        <p className="pb-2 text-16 font-semibold text-text">{label}</p>
        <fieldset
          aria-label={`Number pad for ${label}`}
          // A key that was pressed has the focus: the way out works from there as well.
          onKeyDown={onKey('Escape', () => onDone(null))}
          className="m-0 grid min-w-0 gap-2 border-0 p-0"
        >
          <input
            ref={box}
            aria-label={`Number of ${label}`}
            aria-invalid={live !== null}
            inputMode="none"
            autoComplete="off"
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKey('Enter', commit)}
            className="h-14 w-full min-w-0 rounded border-2 border-focus bg-ground px-3 text-center text-28 font-semibold tabular-nums text-text"
          />
          <p role="alert" className="min-h-5 text-14 text-bad-text">
            {live}
          </p>
          {/* A phone on its side has no room for four rows of keys. */}
          <div className="grid grid-cols-3 gap-2 [@media(max-height:29rem)]:grid-cols-6">
            {keys.map((key) => (
              <button key={key} type="button" className={keyLook} onClick={() => write(isFresh ? key : text + key)}>
                {key}
              </button>
            ))}
            <button
              type="button"
              className={keyLook}
              aria-label="Delete a digit"
              onClick={() => write(text.slice(0, -1))}
            >
              ⌫
            </button>
            <button type="button" className={keyLook} onClick={() => write(isFresh ? '0' : `${text}0`)}>
              0
            </button>
            <Button size="thumb" variant="primary" onClick={commit}>
              Set
            </Button>
          </div>
          <Button size="field" variant="quiet" onClick={() => onDone(null)}>
            Keep {quantity}
          </Button>
        </fieldset>
      </div>
    </>
  );
}

/** What is wrong already while typing; an empty box is not wrong before 'Set'. */
function lateProblem(text: string, capacity: number | null): string | null {
  return text === '' ? null : readQuantity(text, capacity).problem;
}
