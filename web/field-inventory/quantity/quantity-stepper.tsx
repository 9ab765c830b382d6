import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '../../ui/icon.tsx';
import { clampQuantity } from '../drafts/draft-steps.ts';
import { NumberPad } from './number-pad.tsx';

/** How long a finger rests on the count before it can be typed, and on a step button before it goes on by itself. */
const longPressMs = 500;
/** A step button held down takes another step this often. */
const repeatEveryMs = 120;

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
  // A button held down steps on faster than the screen is drawn anew.
  const latest = useRef(quantity);
  latest.current = quantity;
  const set = (next: number) => {
    latest.current = clampQuantity(next, capacity);
    onSet(latest.current);
  };
  return (
    <fieldset aria-label={`Quantity of ${label}`} className={`m-0 grid min-w-0 border-0 p-0 ${look.columns}`}>
      <StepButton
        icon="minus"
        label={`One less of ${label}`}
        isDisabled={quantity <= 0}
        look={look}
        onStep={() => set(latest.current - 1)}
      />
      <Count
        label={label}
        quantity={quantity}
        capacity={size === 'big' ? capacity : null}
        look={`${look.height} ${look.digits}`}
        onHold={() => setIsTyping(true)}
      />
      <StepButton
        icon="plus"
        label={`One more of ${label}`}
        isDisabled={capacity !== null && quantity >= capacity}
        look={look}
        onStep={() => set(latest.current + 1)}
      />
      {isTyping &&
        createPortal(
          // In the body: a row that is drawn only when in sight would hold it in.
          <NumberPad
            label={label}
            quantity={quantity}
            capacity={capacity}
            onDone={(typed) => {
              setIsTyping(false);
              if (typed !== null) set(typed);
            }}
          />,
          document.body,
        )}
    </fieldset>
  );
}

type CountProps = { label: string; quantity: number; capacity: number | null; look: string; onHold: () => void };

/** The number itself. Held (or activated by keyboard) it can be typed; a stray tap of a glove does nothing. */
function Count({ label, quantity, capacity, look, onHold }: CountProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <button
      type="button"
      aria-label={`${label}: ${quantity}${capacity === null ? '' : ` of ${capacity}`}. Hold to type a number`}
      onPointerDown={() => {
        release();
        timer.current = setTimeout(() => {
          dropClickOfRelease();
          onHold();
        }, longPressMs);
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

/** The pad opens under the finger: lifting it is a click there on some phones, and would type a digit or close the pad. */
function dropClickOfRelease(): void {
  const drop = (event: MouseEvent): void => {
    if (event.detail > 0) event.stopPropagation();
  };
  window.addEventListener('click', drop, { capture: true });
  const end = (): void => window.removeEventListener('click', drop, { capture: true });
  window.addEventListener('pointerdown', end, { capture: true, once: true });
}

type StepButtonProps = {
  icon: 'minus' | 'plus';
  label: string;
  isDisabled: boolean;
  look: (typeof sizes)[keyof typeof sizes];
  onStep: () => void;
};

/** One unit per tap; held down it goes on, so that a larger difference is one touch as well. */
function StepButton({ icon, label, isDisabled, look, onStep }: StepButtonProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const repeated = useRef(false);
  const step = useRef(onStep);
  step.current = onStep;
  const release = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isDisabled) clearTimeout(timer.current);
  }, [isDisabled]);
  const press = () => {
    release();
    repeated.current = false;
    const again = () => {
      repeated.current = true;
      step.current();
      timer.current = setTimeout(again, repeatEveryMs);
    };
    timer.current = setTimeout(again, longPressMs);
  };
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isDisabled}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => {
        if (!repeated.current) onStep();
        repeated.current = false;
      }}
      className={`touch-manipulation select-none ${buttonLook} ${look.height}`}
    >
      <Icon name={icon} size={look.icon} />
    </button>
  );
}
