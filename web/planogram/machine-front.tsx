import { type DragEvent, type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Slot } from '../../contract/machines.ts';
import type { NeededItem } from '../../contract/need.ts';
import { nextInTray, trayOf, traysOf } from '../../domain/trays.ts';
import { onDragOver } from '../ui/drag-over.ts';
import { Icon } from '../ui/icon.tsx';
import { type FaceStatus, faceStatus, type Shown, SlotFace } from './slot-face.tsx';

type Props = {
  slots: readonly Slot[];
  needs: ReadonlyMap<number, NeededItem>;
  shown: Shown;
  currency: string;
  chosenId: number | null;
  isSaving: boolean;
  onChoose: (id: number) => void;
  /** Moves a slot to a position; absent: nothing can be moved. */
  onMove?: (slot: Slot, to: string) => void;
  onAdd: (slotNumber: string) => void;
};

/** The machine's front: a row of slots for each tray. Slots move by drag, or with Alt and an arrow key. */
export function MachineFront(props: Props) {
  const { slots, onMove, onAdd, isSaving } = props;
  const trays = traysOf(slots);
  const [dragged, setDragged] = useState<Slot | null>(null);
  const longest = Math.max(1, ...trays.map((tray) => tray.length));
  const drop = (to: string): void => {
    if (dragged && onMove) onMove(dragged, to);
    setDragged(null);
  };
  const taken = slots.map((slot) => slot.slotNumber);
  const held = useHeldTile();
  return (
    <div className="overflow-x-auto p-4">
      <div
        {...held}
        aria-busy={isSaving}
        style={{ minWidth: longest * tilePx + edgesPx }}
        className="grid gap-2 rounded border-2 border-line-strong bg-subtle p-2"
      >
        {trays.map((tray) => {
          const name = trayOf(tray[0]?.slotNumber ?? '');
          return (
            <div
              key={name}
              style={{ gridTemplateColumns: `repeat(${tray.length}, minmax(0, 1fr))${onMove ? ' 32px' : ''}` }}
              className="grid gap-1 border-line-strong border-b-2 pb-1"
            >
              {tray.map((slot) => (
                <SlotTile
                  key={slot.id}
                  {...props}
                  slot={slot}
                  trays={trays}
                  dragged={dragged}
                  onDrag={setDragged}
                  onDrop={drop}
                />
              ))}
              {onMove && (
                <FreePlace to={nextInTray(name, taken)} isTarget={dragged !== null} onDrop={drop} onAdd={onAdd} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A slot that went to another tray is drawn anew there: the focus that was on it goes along. */
function useHeldTile() {
  const front = useRef<HTMLDivElement>(null);
  const tile = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const was = tile.current;
    if (!was || was.isConnected || document.activeElement !== document.body) return;
    front.current?.querySelector<HTMLElement>(`[data-slot="${was.dataset.slot}"]`)?.focus();
  });
  return {
    ref: front,
    onFocus: ({ target }: FocusEvent): void => {
      tile.current = target instanceof HTMLElement && target.dataset.slot ? target : null;
    },
    onBlur: ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget) tile.current = null;
    },
  };
}

/** Narrower, a slot's price and its 'Empty 0/12' would leave the tile. */
const tilePx = 104;
/** The frame, and the free place at the end of each tray. */
const edgesPx = 56;

const looks: Record<FaceStatus, string> = {
  out: 'border-bad bg-bad-soft text-bad-text',
  low: 'border-warn bg-warn-soft text-warn-text',
  good: 'border-line bg-ground text-text',
};

type TileProps = Props & {
  slot: Slot;
  trays: readonly (readonly Slot[])[];
  dragged: Slot | null;
  onDrag: (slot: Slot | null) => void;
  onDrop: (to: string) => void;
};

function SlotTile({
  slot,
  needs,
  shown,
  currency,
  chosenId,
  trays,
  dragged,
  onChoose,
  onMove,
  onDrag,
  onDrop,
}: TileProps) {
  const status = faceStatus(slot);
  const isChosen = slot.id === chosenId;
  const isTarget = dragged !== null && dragged.id !== slot.id;
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const beside = neighbour(trays, slot, event.key);
    if (!beside) return;
    event.preventDefault();
    if (event.altKey) onMove?.(slot, beside.slotNumber);
    else focusSlot(event.currentTarget, beside.id);
  };
  return (
    <button
      type="button"
      data-slot={slot.id}
      draggable={onMove !== undefined}
      aria-pressed={isChosen}
      onClick={() => onChoose(slot.id)}
      onKeyDown={onKeyDown}
      onDragStart={(event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', slot.slotNumber);
        onDrag(slot);
      }}
      onDragEnd={() => onDrag(null)}
      {...onDragOver((event) => isTarget && event.preventDefault())}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(slot.slotNumber);
      }}
      className={`grid min-w-0 gap-1 rounded-s border p-1.5 text-left ${looks[status]} ${isChosen ? 'outline-3 outline-focus' : ''} ${isTarget ? 'border-dashed' : ''} ${dragged?.id === slot.id ? 'opacity-50' : ''} ${onMove ? 'cursor-grab' : ''}`}
    >
      <SlotFace slot={slot} need={needs.get(slot.id)} shown={shown} currency={currency} />
    </button>
  );
}

/** The slot beside one in the direction of an arrow key. */
function neighbour(trays: readonly (readonly Slot[])[], slot: Slot, key: string): Slot | undefined {
  const row = trays.findIndex((tray) => tray.includes(slot));
  const at = trays[row]?.indexOf(slot) ?? 0;
  if (key === 'ArrowLeft') return trays[row]?.[at - 1];
  if (key === 'ArrowRight') return trays[row]?.[at + 1];
  const beside = { ArrowUp: trays[row - 1], ArrowDown: trays[row + 1] }[key];
  return beside?.[Math.min(at, beside.length - 1)];
}

function focusSlot(from: HTMLElement, id: number): void {
  from.closest('[aria-busy]')?.querySelector<HTMLElement>(`[data-slot="${id}"]`)?.focus();
}

type FreeProps = { to: string; isTarget: boolean; onDrop: (to: string) => void; onAdd: (slotNumber: string) => void };

/** The next free position of a tray: a slot is dropped on it, or added. */
function FreePlace({ to, isTarget, onDrop, onAdd }: FreeProps) {
  return (
    <button
      type="button"
      aria-label={`Add slot ${to}`}
      title={`Add slot ${to}`}
      onClick={() => onAdd(to)}
      {...onDragOver((event) => event.preventDefault())}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(to);
      }}
      className={`grid place-content-center rounded-s border border-dashed print:hidden text-text-3 hover:bg-hover ${isTarget ? 'border-accent bg-accent-soft' : 'border-line-ctl'}`}
    >
      <Icon name="plus" />
    </button>
  );
}
