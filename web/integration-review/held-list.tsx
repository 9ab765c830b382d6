import { useState } from 'react';
import type { Held } from '../../contract/integration-review.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { countOf, formatDateTime, formatMoney, formatNumber } from '../http/format.ts';
import { isDecimal } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { ComboBox } from '../ui/forms/combo-box.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { touch } from '../ui/row-to-settle.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useDismissHeld, useHeld, useProductsNamed, useRepairHeld } from './api.ts';
import { bookedInWords, PagedList, sayWhenDone } from './parts.tsx';

/** Records that are not booked, because they cannot be true or cannot be placed. */
export function HeldList() {
  return (
    <PagedList usePage={useHeld} label="Held records" empty="No record is held back.">
      {(held) => <HeldRow held={held} />}
    </PagedList>
  );
}

function HeldRow({ held }: { held: Held }) {
  const { record, place, system, configName, explanation, alike } = held;
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium">{record ? titleOf(record) : 'A record that cannot be read'}</p>
        {place && (
          <p className="text-text-2">
            <AppLink
              href={`/mobile-inventory?type=${place.type}&id=${place.id}`}
              className="inline-block hover:text-accent hover:underline max-lg:py-3.5"
            >
              {place.name}
              {record?.slotNumber && `, slot ${record.slotNumber}`}
            </AppLink>
          </p>
        )}
        {record && <p className="text-text-2">{formatDateTime(record.soldAt)}</p>}
        <p className="text-text-3">{`${systemLabel[system]}, ${configName}`}</p>
      </div>
      <div className="grid content-between gap-3">
        <p>
          {explanation}
          {alike > 1 && <span className="text-text-3">{` ${formatNumber(alike)} records are held for this.`}</span>}
        </p>
        <HeldChoice held={held} />
      </div>
    </>
  );
}

type HeldSale = NonNullable<Held['record']>;

/** What was told is perhaps no amount: it is held for that, and shown as it came. */
const moneyOf = ({ amount, currency }: HeldSale): string =>
  isDecimal(amount) ? formatMoney(amount, currency) : amount || 'no amount';

const titleOf = (sale: HeldSale): string =>
  `${formatNumber(sale.quantity)} × ${sale.productName ?? sale.productCode ?? 'unnamed product'}, ${moneyOf(sale)}`;

/** What the repair of one click would make of it. */
function repairInWords({ repair, record }: Held): string {
  if (!repair) return '';
  if (repair.soldAt) return `Book with ${formatDateTime(repair.soldAt)}`;
  if (repair.unitPrice) return `Book at ${formatMoney(repair.unitPrice, record?.currency)} each`;
  if (repair.quantity !== undefined) return `Book ${countOf(repair.quantity, 'piece')}`;
  if (repair.amount) return `Book with ${formatMoney(repair.amount, record?.currency)}`;
  return 'Book as the product of the slot';
}

function HeldChoice({ held }: { held: Held }) {
  const repair = useRepairHeld();
  const dismiss = useDismissHeld();
  const pending = repair.isPending || dismiss.isPending;
  const run = (choice: Omit<Parameters<typeof repair.mutate>[0], 'id'>): void =>
    sayWhenDone(repair.mutateAsync({ id: held.id, ...choice }), (done) => ({
      title: done.booked > 0 ? 'Booked' : 'Not booked',
      description: bookedInWords(done),
    }));
  const isChange = held.kind === 'sale' && held.reason === 'changed';
  const isSale = held.kind === 'sale' && !isChange;
  const take = (): void =>
    sayWhenDone(repair.mutateAsync({ id: held.id, how: 'as-told', alike: false }), () => ({
      title: 'Corrected',
      description: 'The sale counts with these figures from now on.',
    }));
  const isMissing = held.reason === 'slot' || held.reason === 'product';
  return (
    <div className="grid gap-2">
      {held.reason === 'slot' && (
        <ChooseSlot onChoose={(slotNumber) => run({ how: 'map', slotNumber })} pending={pending} />
      )}
      {held.reason === 'product' && <ChooseProduct onChoose={(productId) => run({ how: 'map', productId })} />}
      <div className="flex flex-wrap gap-2">
        {isSale && held.repair && (
          <Button variant="primary" pending={pending} onClick={() => run({ how: 'repair' })} className={touch}>
            {repairInWords(held)}
          </Button>
        )}
        {isSale && (
          <Button pending={pending} onClick={() => run({ how: 'as-told' })} className={touch}>
            {isMissing ? 'Book without it' : 'Book as told'}
          </Button>
        )}
        {isChange && held.record && (
          <Button pending={pending} onClick={take} className={touch}>
            {`Take ${formatNumber(held.record.quantity)} for ${moneyOf(held.record)}`}
          </Button>
        )}
        <LeaveOut held={held} dismiss={dismiss} pending={pending} />
      </div>
    </div>
  );
}

type LeaveOutProps = { held: Held; dismiss: ReturnType<typeof useDismissHeld>; pending: boolean };

/** Nothing brings the record back: it is asked before. */
function LeaveOut({ held: { id, record }, dismiss, pending }: LeaveOutProps) {
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  const leaveOut = (): void => {
    const decision = dismiss.mutateAsync({ id, alike: false }).finally(close);
    sayWhenDone(decision, () => ({ title: 'Left out', description: 'This record stays out of the books.' }));
  };
  return (
    <>
      <Button pending={pending} onClick={() => setAsking(true)} className={touch}>
        Leave out
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={close}
        title="Leave this record out?"
        confirmLabel="Leave out"
        pending={dismiss.isPending}
        onConfirm={leaveOut}
      >
        {`${record ? titleOf(record) : 'What was told'} stays out of the books for good. It cannot be taken back.`}
      </ConfirmDialog>
    </>
  );
}

function ChooseSlot({ onChoose, pending }: { onChoose: (slotNumber: string) => void; pending: boolean }) {
  const [slot, setSlot] = useState('');
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (slot.trim() !== '') onChoose(slot.trim());
      }}
    >
      <TextField className="w-32" label="It is our slot" value={slot} onChange={setSlot} />
      <Button type="submit" pending={pending} disabled={slot.trim() === ''} className={touch}>
        Map and replay
      </Button>
    </form>
  );
}

function ChooseProduct({ onChoose }: { onChoose: (productId: number) => void }) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const { data = [], error, isFetching } = useProductsNamed(search);
  const none = error ? 'The products did not load. Type again to retry.' : 'No product has this name';
  return (
    <ComboBox
      label="It is our product"
      placeholder="Name or barcode"
      hint="Mapped and replayed once chosen, and remembered"
      text={text}
      onText={setText}
      loading={isFetching}
      noHit={search.trim().length > 1 ? none : undefined}
      options={data.map(({ id, name, brand }) => ({
        key: String(id),
        label: name,
        ...(brand ? { detail: brand } : {}),
      }))}
      onChoose={({ key }) => onChoose(Number(key))}
    />
  );
}
