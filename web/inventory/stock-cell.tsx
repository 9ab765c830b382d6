import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { InventoryRow } from '../../contract/inventory.ts';
import { formatNumber } from '../http/format.ts';
import { IconButton } from '../ui/button.tsx';
import { useCountItem } from './api.ts';

/** Which row is being counted in its place. */
export type Counting = {
  id: number | null;
  /** Counts that were refused, by row: what was typed waits there for the next press. */
  refused: ReadonlyMap<number, number>;
  open: (item: InventoryRow) => void;
  close: () => void;
  refuse: (item: InventoryRow, quantity: number) => void;
  /** Sent once more, or left as it is. */
  forget: (item: InventoryRow) => void;
};

const formOf = ({ id }: Pick<InventoryRow, 'id'>): string => `count-${id}`;
export const nameOf = ({ productName, marketName }: InventoryRow): string => `${productName} at ${marketName}`;

/** Saves what is typed before another row is counted. False where it is no number: then it is still to be put right. */
function leaveCount(id: number): boolean {
  const form = document.getElementById(formOf({ id }));
  if (!(form instanceof HTMLFormElement)) return true;
  const field = form.querySelector('input');
  if (field?.getAttribute('aria-invalid') === 'true') {
    field.focus();
    return false;
  }
  form.requestSubmit();
  return true;
}

/** The table's counting in place. What is refused after another row was opened is kept for its own. */
export function useCounting(): Counting {
  const [id, setId] = useState<number | null>(null);
  const [refused, setRefused] = useState<Counting['refused']>(new Map());
  return useMemo(
    () => ({
      id,
      refused,
      open: (item) => {
        if (id === null || leaveCount(id)) setId(item.id);
      },
      close: () => setId(null),
      refuse: (item, quantity) => setRefused((before) => new Map(before).set(item.id, quantity)),
      forget: (item) => setRefused((before) => new Map([...before].filter(([key]) => key !== item.id))),
    }),
    [id, refused],
  );
}

/** On a desk the number is counted where it stands; what is told on the telephone needs no form. */
export function StockCell({ item, counting }: { item: InventoryRow; counting: Counting }) {
  const number = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isOpen = counting.id === item.id;
  const isNoneOpen = counting.id === null;
  useEffect(() => {
    // Back to the number that was pressed, unless another has been since.
    if (wasOpen.current && isNoneOpen) number.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, isNoneOpen]);
  if (isOpen) return <CountField item={item} counting={counting} />;
  const refused = counting.refused.get(item.id);
  return (
    <button
      ref={number}
      type="button"
      title="Count"
      aria-label={`Count ${nameOf(item)}, ${formatNumber(item.currentQuantity)} in stock${refused === undefined ? '' : `, ${formatNumber(refused)} not saved`}`}
      onClick={() => counting.open(item)}
      className="-mr-2 min-h-8 min-w-14 max-w-[calc(100%+0.5rem)] rounded border border-transparent px-2 text-right hover:border-line-ctl"
    >
      {formatNumber(item.currentQuantity)}
      {refused !== undefined && (
        <span className="block whitespace-normal text-12 text-bad-text leading-tight">
          {formatNumber(refused)} not&nbsp;saved
        </span>
      )}
    </button>
  );
}

function CountField({ item, counting }: { item: InventoryRow; counting: Counting }) {
  const refused = counting.refused.get(item.id);
  const [text, setText] = useState(String(refused ?? item.currentQuantity));
  const [isTyped, setIsTyped] = useState(refused !== undefined);
  // As it is by now: what was sold meanwhile is no part of what is counted.
  const before = item.currentQuantity;
  const count = useCountItem((tried) => counting.refuse(tried.item, tried.quantity));
  const quantity = /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (quantity === null || count.isPending) return;
    counting.forget(item);
    if (!isTyped || quantity === before) counting.close();
    else count.mutate({ item, quantity, before }, { onSuccess: counting.close });
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') leave(counting, item);
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || quantity === null) return;
    event.preventDefault();
    setText(String(Math.max(0, quantity + step)));
    setIsTyped(true);
  };
  return (
    <form id={formOf(item)} noValidate onSubmit={save} className="-mr-2">
      <input
        // biome-ignore lint/a11y/noAutofocus: it comes where the button was that was pressed
        autoFocus
        aria-label={`Units of ${nameOf(item)}`}
        aria-invalid={quantity === null}
        inputMode="numeric"
        value={text}
        maxLength={9}
        // The same number typed anew changes no text, and is a count.
        onInput={() => setIsTyped(true)}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onKeyDown={keys}
        className="h-7 w-16 rounded border border-line-strong bg-ground px-2 text-right outline-offset-0 aria-invalid:border-bad"
      />
      <span className={`mt-0.5 block pr-2 text-12 leading-none ${quantity === null ? 'text-bad-text' : 'text-text-3'}`}>
        {quantity === null ? 'Whole units' : `was ${formatNumber(before)}`}
      </span>
    </form>
  );
}

function leave(counting: Counting, item: InventoryRow): void {
  counting.forget(item);
  counting.close();
}

/** Stand where the row's actions are as long as it is counted. */
export function CountActions({ item, counting }: { item: InventoryRow; counting: Counting }) {
  return (
    <span className="inline-flex">
      <IconButton
        label={`Save the count of ${nameOf(item)}`}
        title="Save"
        icon="check"
        type="submit"
        form={formOf(item)}
      />
      <IconButton
        label={`Leave ${nameOf(item)} as it is`}
        title="Cancel"
        icon="close"
        onClick={() => leave(counting, item)}
      />
    </span>
  );
}
