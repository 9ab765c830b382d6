import { useRef, useState } from 'react';
import type { MachinePlanogram, Slot } from '../../contract/machines.ts';
import { placedOf, withMove } from '../../domain/planogram-change.ts';
import { nextInTray, trayOf } from '../../domain/trays.ts';
import { useMay, useSession } from '../auth/api.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { SlotForm } from '../machines/slot-form.tsx';
import { useNeedDetail } from '../need/api.ts';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useMedia } from '../ui/use-media.ts';
import { usePlanogram, useSavePlanogram } from './api.ts';
import { MachineFront } from './machine-front.tsx';
import { PlanogramTools } from './planogram-tools.tsx';
import type { Shown } from './slot-face.tsx';
import { SlotPanel } from './slot-panel.tsx';

const shownAs = [
  { value: 'fill', label: 'Fill' },
  { value: 'cover', label: 'Days of cover' },
  { value: 'sales', label: 'Sales' },
  { value: 'price', label: 'Price' },
] as const;

/** A machine's front: what stands where, and the change where one sees the thing. */
export function Planogram({ machineId }: { machineId: number }) {
  const planogram = usePlanogram(machineId);
  if (planogram.error && !planogram.data) {
    return (
      <Card title="Planogram">
        <FailedView error={planogram.error} retry={() => void planogram.refetch()} title="The planogram did not load" />
      </Card>
    );
  }
  if (!planogram.data) {
    return (
      <Card title="Planogram">
        <SkeletonRows rows={5} className="h-24" />
      </Card>
    );
  }
  return <Loaded machineId={machineId} planogram={planogram.data} />;
}

type Props = { machineId: number; planogram: MachinePlanogram };

function Loaded({ machineId, planogram }: Props) {
  const { slots } = planogram;
  const { operator } = useSession();
  const mayWrite = useMay('office:write');
  const isBeside = useMedia('(min-width: 80rem)');
  const [shown, setShown] = useState<Shown>('fill');
  const [chosen, setChosen] = useState<number | null>(null);
  const [adding, setAdding] = useState<string | null>(null);
  const save = useSavePlanogram(machineId, planogram);
  const need = useNeedDetail({ type: 'vending_machine', id: machineId }, null);
  const needs = new Map(need.data?.items.map((item) => [item.id, item]));
  const panel = useRef<HTMLDivElement>(null);
  const choose = (id: number): void => {
    setChosen(id);
    // Where the panel lies under the front, it would change out of sight.
    if (!isBeside) panel.current?.scrollIntoView({ block: 'nearest' });
  };
  const slot = slots.find((one) => one.id === chosen);
  const move = (from: Slot, to: string): void => {
    if (from.slotNumber === to || save.isPending) return;
    const other = slots.find((one) => one.slotNumber === to);
    const done = other ? `${from.slotNumber} and ${to} exchanged` : `${from.slotNumber} moved to ${to}`;
    save.mutate({ slots: withMove(slots.map(placedOf), from.slotNumber, to), done });
  };
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem] print:block">
      <Card
        title="Planogram"
        count={countText(slots)}
        actions={<Segmented label="Show" options={shownAs} value={shown} onChange={setShown} />}
        footer={<Legend shown={shown} mayWrite={mayWrite} />}
      >
        {slots.length === 0 ? (
          <StateView icon="machine" title="No slots yet" text="Add the first product, or apply a template." />
        ) : (
          <MachineFront
            slots={slots}
            needs={needs}
            shown={shown}
            currency={operator.currency}
            chosenId={chosen}
            isSaving={save.isPending}
            onChoose={choose}
            onAdd={setAdding}
            {...(mayWrite ? { onMove: move } : {})}
          />
        )}
        {mayWrite && <PlanogramTools machineId={machineId} planogram={planogram} save={save} onAdd={setAdding} />}
      </Card>
      <div ref={panel} className="scroll-mt-4 scroll-mb-80 print:hidden">
        <SlotPanel
          key={slot ? slot.id : 'none'}
          machineId={machineId}
          slot={slot}
          need={slot && needs.get(slot.id)}
          mayWrite={mayWrite}
          places={placesFor(slots, slot)}
          onMove={move}
          save={save}
          slots={slots}
        />
      </div>
      {adding && (
        <Dialog open wide onClose={() => setAdding(null)} title="Add slot">
          <SlotForm machineId={machineId} slot={null} position={adding} onSaved={() => setAdding(null)} />
        </Dialog>
      )}
    </div>
  );
}

function countText(slots: readonly Slot[]): string {
  const units = slots.reduce((sum, slot) => sum + slot.currentQuantity, 0);
  const room = slots.reduce((sum, slot) => sum + slot.maxQuantity, 0);
  return `${countOf(slots.length, 'slot')}, ${formatNumber(units)} of ${countOf(room, 'unit')}`;
}

/** Where a slot can go: every other position, and the first free one of each tray. */
function placesFor(slots: readonly Slot[], slot: Slot | undefined): string[] {
  const taken = slots.map((one) => one.slotNumber);
  const free = [...new Set(taken.map(trayOf))].map((tray) => nextInTray(tray, taken));
  return [...taken.filter((one) => one !== slot?.slotNumber), ...free];
}

function Legend({ shown, mayWrite }: { shown: Shown; mayWrite: boolean }) {
  const words: Record<Shown, string> = {
    fill: `Red empty, amber at its minimum; without one, below ${operatorRules().lowSlotPercent}% of what it holds`,
    cover: 'Days until it is sold out at the present rate',
    sales: 'Units a day',
    price: 'Price of a unit',
  };
  return (
    <span>
      {words[shown]}.
      {mayWrite && (
        <span className="print:hidden">
          {' '}
          Drag a slot onto another to exchange them; Alt and an arrow key does the same.
        </span>
      )}
    </span>
  );
}
