import type { DayPlan } from '../../../contract/day-plans.ts';
import { IconButton } from '../../ui/button.tsx';
import { MoveCost } from './move-cost.tsx';
import type { useMoves } from './use-moves.ts';

type Unassigned = DayPlan['unassigned'][number];
type Props = {
  places: readonly Unassigned[];
  moves: ReturnType<typeof useMoves>;
  disabled: boolean;
  /** The search has placed no stop so far: none is left out. */
  isBefore: boolean;
  onChoose: (place: Unassigned) => void;
};

/**
 * Locations that nobody visits, each with the reason; a stop dropped here is taken off its route. There while it is empty
 * too: were it to come with the drag, it would push the dragged stop away from under the pointer.
 */
export function UnassignedColumn({ places, moves, disabled, isBefore, onChoose }: Props) {
  const isEmpty = places.length === 0;
  const title = isBefore ? 'Not placed yet' : 'Left out';
  const size = isEmpty ? 'w-44 flex-none' : 'min-w-64 max-w-96 flex-1';
  return (
    <section
      aria-label={title}
      {...moves.zone(() => ({ route: null, index: 0 }))}
      className={`flex flex-col rounded border bg-ground max-lg:w-full max-lg:max-w-none ${size} ${isEmpty || isBefore ? 'border-line' : 'border-warn'}`}
    >
      <header className="relative flex items-baseline gap-2 border-line border-b px-3 py-2">
        <h3 className="flex-1 font-semibold text-14 text-text">{title}</h3>
        <span className="text-12 text-text-3">{places.length}</span>
        {moves.target?.route === null && moves.cost && <MoveCost text={moves.cost} />}
      </header>
      <ul className="min-h-16 flex-1 divide-y divide-line">
        {places.map((place) => (
          <li
            key={`${place.type}:${place.id}`}
            draggable={!disabled && !moves.pending}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', place.name);
              moves.begin(place);
            }}
            onDragEnd={moves.end}
            className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 px-3 py-2 ${disabled ? '' : 'cursor-grab'}`}
          >
            <span className="line-clamp-2 font-medium" title={`${place.name}, ${place.address}`}>
              {place.name}
            </span>
            <IconButton
              label={`Move ${place.name}`}
              icon="swap"
              disabled={disabled}
              className="row-span-2 max-lg:size-12"
              onClick={() => onChoose(place)}
            />
            {!isBefore && <span className="text-12 text-text-2">{place.reason}</span>}
          </li>
        ))}
        {isEmpty && <li className="px-3 py-4 text-center text-text-3">Nothing. Drop a stop here to leave it out.</li>}
      </ul>
    </section>
  );
}
