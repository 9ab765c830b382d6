import { type FormEvent, useId, useState } from 'react';
import type { CashBag } from '../../contract/reconciliation.ts';
import { formatMoney } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { useCountCash } from './reconciliation-api.ts';

/** What was in a bag: entered once, taken back by a click. */
export function BagCount({ bag, mayWrite }: { bag: CashBag; mayWrite: boolean }) {
  const [text, setText] = useState('');
  const id = useId();
  const save = useCountCash();
  const { visitId, counted, bagNumber } = bag;
  if (counted !== null) {
    return (
      <span className="flex items-center gap-2">
        <span className="font-semibold">{formatMoney(counted)}</span>
        {mayWrite && (
          <Button
            icon="undo"
            pending={save.isPending}
            onClick={() => save.mutate({ visitId, counted: null })}
            className="max-lg:min-h-12"
          >
            Take back
          </Button>
        )}
      </span>
    );
  }
  if (!mayWrite) return <span className="text-text-3">Not counted</span>;
  const isAmount = /^\d{1,8}(?:\.\d{1,2})?$/.test(text.trim());
  // Whoever has typed as far as the point is not told off.
  const isOdd = !/^\d{0,8}(?:\.\d{0,2})?$/.test(text.trim());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isAmount) save.mutate({ visitId, counted: text.trim() });
  };
  return (
    <form onSubmit={submit} className="grid gap-1 print:hidden">
      <span className="flex items-center gap-2">
        <input
          aria-label={`Counted in ${bagNumber}`}
          inputMode="decimal"
          placeholder="Counted"
          value={text}
          aria-invalid={isOdd ? true : undefined}
          aria-describedby={isOdd ? id : undefined}
          onChange={(event) => setText(event.target.value)}
          className={`h-8 w-28 rounded border bg-ground px-2 text-right max-lg:h-12 max-lg:text-16 ${isOdd ? 'border-bad' : 'border-line-strong'}`}
        />
        <Button type="submit" disabled={!isAmount} pending={save.isPending} className="max-lg:min-h-12">
          Save
        </Button>
      </span>
      {isOdd && (
        <span id={id} role="alert" className="text-12 text-bad-text">
          Enter the amount such as 12.50.
        </span>
      )}
    </form>
  );
}
