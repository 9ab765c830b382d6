import type { DayPlan } from '../../../contract/day-plans.ts';
import { IconButton } from '../../ui/button.tsx';
import type { useMoves } from './use-moves.ts';

type Unassigned = DayPlan['unassigned'][number];
type Props = {
  places: readonly Unassigned[];
  moves: ReturnType<typeof useMoves>;
  disabled: boolean;
  onChoose: (place: Unassigned) => void;
};

/** Locations that nobody visits, each with the reason; a stop dropped here is taken off its route. */
export function UnassignedColumn({ places, moves, disabled, onChoose }: Props) {
  if (places.length === 0 && !moves.dragged) return null;
  return (
    <section
      aria-label="Left out"
      onDragOver={(event) => {
        if (!moves.dragged) return;
        event.preventDefault();
        moves.over({ route: null, index: 0 });
      }}
      onDrop={(event) => {
        event.preventDefault();
        moves.drop();
      }}
      className="flex min-w-64 max-w-96 flex-1 flex-col rounded border border-warn bg-ground max-lg:w-full max-lg:max-w-none"
    >
      <header className="flex items-baseline gap-2 border-line border-b px-3 py-2">
        <h3 className="flex-1 font-semibold text-14 text-text">Left out</h3>
        <span className="text-12 text-text-3">{places.length}</span>
      </header>
      {moves.target?.route === null && moves.cost && (
        <p role="status" className="border-line border-b bg-accent-soft px-3 py-1 font-medium text-12 text-accent">
          {moves.cost}
        </p>
      )}
      <ul className="min-h-16 flex-1 divide-y divide-line">
        {places.map((place) => (
          <li
            key={`${place.type}:${place.id}`}
            draggable={!disabled}
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
            <span className="text-12 text-text-2">{place.reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
