import { type KeyboardEvent, useRef, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { clampQuantity } from './draft-steps.ts';

/** How long a finger rests on the count before it can be typed. */
const longPressMs = 500;

type StepperProps = {
  label: string;
  quantity: number;
  /** Null where a shelf has no upper limit. */
  capacity: number | null;
  size: 'row' | 'big';
  onSet: (quantity: number) => void;
};

const sizes = {
  row: { columns: 'gap-1 grid-cols-[48px_56px_48px]', height: 'h-12', digits: 'text-20', icon: 20 },
  big: { columns: 'gap-2 grid-cols-[88px_1fr_88px]', height: 'h-[72px]', digits: 'text-28', icon: 28 },
} as const;

const buttonLook =
  'grid place-items-center rounded border border-line-strong bg-subtle text-text active:bg-hover disabled:border-line disabled:bg-ground disabled:text-text-3';

export function QuantityStepper({ label, quantity, capacity, size, onSet }: StepperProps) {
  const [isTyping, setIsTyping] = useState(false);
  const look = sizes[size];
  const set = (next: number) => onSet(clampQuantity(next, capacity));
  return (
    <fieldset aria-label={`Quantity of ${label}`} className={`m-0 grid min-w-0 border-0 p-0 ${look.columns}`}>
      <button
        type="button"
        aria-label={`One less of ${label}`}
        disabled={quantity <= 0}
        onClick={() => set(quantity - 1)}
        className={`${buttonLook} ${look.height}`}
      >
        <Icon name="minus" size={look.icon} />
      </button>
      {isTyping ? (
        <NumberEntry
          label={label}
          quantity={quantity}
          look={`${look.height} ${look.digits}`}
          onDone={(typed) => {
            setIsTyping(false);
            if (typed !== null) set(typed);
          }}
        />
      ) : (
        <Count
          label={label}
          quantity={quantity}
          capacity={size === 'big' ? capacity : null}
          look={`${look.height} ${look.digits}`}
          onHold={() => setIsTyping(true)}
        />
      )}
      <button
        type="button"
        aria-label={`One more of ${label}`}
        disabled={capacity !== null && quantity >= capacity}
        onClick={() => set(quantity + 1)}
        className={`${buttonLook} ${look.height}`}
      >
        <Icon name="plus" size={look.icon} />
      </button>
    </fieldset>
  );
}

type CountProps = { label: string; quantity: number; capacity: number | null; look: string; onHold: () => void };

/** The number itself. Held (or activated by keyboard) it can be typed; a stray tap of a glove does nothing. */
function Count({ label, quantity, capacity, look, onHold }: CountProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const release = () => clearTimeout(timer.current);
  return (
    <button
      type="button"
      aria-label={`${label}: ${quantity}${capacity === null ? '' : ` of ${capacity}`}. Hold to type a number`}
      onPointerDown={() => {
        release();
        timer.current = setTimeout(onHold, longPressMs);
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => event.detail === 0 && onHold()}
      className={`grid touch-manipulation select-none place-content-center rounded border border-line font-semibold tabular-nums text-text ${look}`}
    >
      <span>{quantity}</span>
      {capacity !== null && <span className="text-12 font-normal text-text-2">of {capacity}</span>}
    </button>
  );
}

type EntryProps = { label: string; quantity: number; look: string; onDone: (typed: number | null) => void };

function NumberEntry({ label, quantity, look, onDone }: EntryProps) {
  const [text, setText] = useState(String(quantity));
  const commit = () => onDone(text === '' ? null : Number(text));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') onDone(null);
  };
  return (
    <input
      ref={(input) => {
        input?.focus();
      }}
      onFocus={(event) => event.target.select()}
      aria-label={`Number of ${label}`}
      inputMode="numeric"
      maxLength={7}
      value={text}
      onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
      onBlur={commit}
      onKeyDown={onKeyDown}
      className={`w-full min-w-0 rounded border-2 border-focus bg-ground text-center font-semibold tabular-nums text-text ${look}`}
    />
  );
}
