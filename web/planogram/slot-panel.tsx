import { useState } from 'react';
import type { Slot } from '../../contract/machines.ts';
import type { NeededItem } from '../../contract/need.ts';
import { type PlacedSlot, plannedProduct } from '../../domain/planogram.ts';
import { placedOf } from '../../domain/planogram-change.ts';
import { useSession } from '../auth/api.ts';
import { formatDay, formatMoney } from '../http/format.ts';
import { Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { useFirstField } from '../ui/forms/first-field.ts';
import { useForm } from '../ui/forms/form.ts';
import { KeptDraft } from '../ui/forms/kept-draft.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { StateView } from '../ui/state-view.tsx';
import type { SavePlanogram } from './api.ts';
import { faceStatus, statusTone, statusWord } from './slot-face.tsx';
import { SlotQuick } from './slot-quick.tsx';

type Props = {
  machineId: number;
  slot: Slot | undefined;
  need: NeededItem | undefined;
  mayWrite: boolean;
  places: readonly string[];
  slots: readonly Slot[];
  onMove: (slot: Slot, to: string) => void;
  save: SavePlanogram;
};

/** The chosen slot: how it stands, and everything that can be changed about it. */
export function SlotPanel({ machineId, slot, need, mayWrite, places, slots, onMove, save }: Props) {
  const onward = useFocusOnward();
  if (!slot) {
    return (
      <Card title="Slot">
        <StateView icon="machine" title="No slot chosen" text="Choose one on the front to see and change it." />
      </Card>
    );
  }
  const status = faceStatus(slot);
  return (
    <Card
      title={`${slot.slotNumber} ${slot.productName}`}
      actions={status !== 'good' && <Flag tone={statusTone[status]}>{statusWord[status]}</Flag>}
    >
      <div className="grid gap-4 p-4">
        <p className="text-text-2">{rateOf(slot, need)}</p>
        {mayWrite && <SlotQuick machineId={machineId} slot={slot} />}
        {mayWrite && (
          <div {...onward}>
            <Move key={slot.slotNumber} slot={slot} places={places} pending={save.isPending} onMove={onMove} />
          </div>
        )}
        <Planned slot={slot} slots={slots} mayWrite={mayWrite} save={save} />
      </div>
    </Card>
  );
}

function rateOf(slot: Slot, need: NeededItem | undefined): string {
  const there = `${slot.currentQuantity} of ${slot.maxQuantity} there`;
  if (!need) return `${there}.`;
  const cover = need.daysOfCover === null ? 'nothing sells' : `${need.daysOfCover.toFixed(1)} days of cover`;
  const out = need.runsOut ? `, runs out ${formatDay(need.runsOut)}` : '';
  return `${there}. Sells ${need.perDay.toFixed(1)} a day, ${cover}${out}.`;
}

type MoveProps = Pick<Props, 'places' | 'onMove'> & { slot: Slot; pending: boolean };

function Move({ slot, places, pending, onMove }: MoveProps) {
  const [to, setTo] = useState('');
  return (
    <div className="flex items-end gap-2">
      <Select
        label="Move to"
        value={to}
        onChange={setTo}
        options={[{ value: '', label: 'Choose a position' }, ...places.map((value) => ({ value, label: value }))]}
        className="flex-1"
      />
      <Button
        disabled={!to}
        pending={pending}
        pendingLabel="Moving..."
        className="max-lg:min-h-12"
        onClick={() => onMove(slot, to)}
      >
        Move
      </Button>
    </div>
  );
}

type PlannedProps = { slot: Slot; slots: readonly Slot[]; mayWrite: boolean; save: SavePlanogram };

/** Another product for the next service: it is there from the moment the slot is filled again. */
function Planned(props: PlannedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const onward = useFocusOnward();
  const step = isOpen ? 'form' : 'offer';
  return (
    <div {...onward} className="empty:hidden">
      <div key={props.slot.planned ? 'planned' : step} className="empty:hidden">
        <PlannedStep {...props} isOpen={isOpen} setIsOpen={setIsOpen} />
      </div>
    </div>
  );
}

type StepProps = PlannedProps & { isOpen: boolean; setIsOpen: (isOpen: boolean) => void };

function PlannedStep({ slot, slots, mayWrite, save, isOpen, setIsOpen }: StepProps) {
  const { operator } = useSession();
  const plan = (planned: PlacedSlot['planned'], done: string) =>
    save.mutateAsync({
      slots: slots.map((one) => ({ ...placedOf(one), ...(one.id === slot.id ? { planned } : {}) })),
      done,
    });
  if (slot.planned) {
    const { productName, price } = slot.planned;
    return (
      <div className="grid gap-2 rounded border border-accent bg-accent-soft p-3">
        <p>
          <span className="font-semibold">At the next service:</span> {productName},{' '}
          {formatMoney(price, operator.currency)}
        </p>
        {mayWrite && (
          <Button
            pending={save.isPending}
            className="justify-self-start max-lg:min-h-12"
            onClick={() => void plan(null, `Change of ${slot.slotNumber} taken back`).catch(() => undefined)}
          >
            Take back
          </Button>
        )}
      </div>
    );
  }
  if (!mayWrite) return null;
  if (!isOpen) {
    return (
      <Button className="justify-self-start max-lg:min-h-12" onClick={() => setIsOpen(true)}>
        Plan another product
      </Button>
    );
  }
  return (
    <PlanForm
      slot={slot}
      onCancel={() => setIsOpen(false)}
      onPlan={(planned, done) => plan(planned, done).then(() => setIsOpen(false))}
    />
  );
}

type PlanFormProps = {
  slot: Slot;
  onCancel: () => void;
  onPlan: (planned: PlacedSlot['planned'], done: string) => Promise<unknown>;
};

function PlanForm({ slot, onCancel, onPlan }: PlanFormProps) {
  const form = useForm({
    schema: plannedProduct.omit({ parQuantity: true }),
    initial: { productName: '', price: slot.price },
    draftKey: `planned-${slot.id}`,
    onSubmit: (planned) => onPlan(planned, `${planned.productName} planned for ${slot.slotNumber}`),
  });
  const fields = useFirstField();
  return (
    <form ref={fields} noValidate onSubmit={form.submit} aria-label="Plan another product" className="grid gap-3">
      <KeptDraft form={form} />
      <TextField label="Product at the next service" required autoComplete="off" {...form.field('productName')} />
      <TextField label="Its price" required inputMode="decimal" autoComplete="off" {...form.field('price')} />
      {form.failure && (
        <p role="alert" className="text-bad-text">
          {form.failure}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" pending={form.pending} className="max-lg:min-h-12">
          Plan
        </Button>
        <Button
          className="max-lg:min-h-12"
          onClick={() => {
            form.discard();
            onCancel();
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  );
}
