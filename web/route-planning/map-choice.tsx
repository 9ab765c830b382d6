import type { PlaceWish } from '../locations/find/places.ts';
import type { MapView } from '../map/map-data.ts';
import { Button } from '../ui/button.tsx';
import type { Selection } from './places/use-selection.ts';

type Props = {
  selection: Selection;
  /** What the lists are narrowed down to. */
  wish: PlaceWish;
  view: MapView | null;
  withOthers: boolean;
  onOthers: (shown: boolean) => void;
};

/** Choosing by district: everything that matches in the part of the map that is looked at. */
export function MapChoice({ selection, wish, view, withOthers, onOthers }: Props) {
  const hasChosen = selection.chosen.length > 0;
  return (
    <>
      {view && (!hasChosen || withOthers) && (
        <Button pending={selection.isReading} onClick={() => void selection.chooseAll({ ...wish, ...boxOf(view) })}>
          Select All in View
        </Button>
      )}
      {hasChosen && (
        <Button aria-pressed={withOthers} onClick={() => onOthers(!withOthers)}>
          {withOthers ? 'Show Selected Only' : 'Show Others Too'}
        </Button>
      )}
    </>
  );
}

function boxOf({ west, south, east, north }: MapView) {
  const within = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees));
  return { west: within(west, 180), south: within(south, 90), east: within(east, 180), north: within(north, 90) };
}
