import type { Point } from '../../domain/location.ts';
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
  const beyond = view ? selection.chosen.filter((place) => !isWithin(view, place)).length : 0;
  return (
    <>
      {view && (!hasChosen || withOthers) && (
        <Button
          className="max-lg:min-h-12"
          pending={selection.isReading}
          onClick={() => void selection.chooseAll({ ...wish, ...boxOf(view) })}
        >
          Select All in View
        </Button>
      )}
      {hasChosen && (
        <Button className="max-lg:min-h-12" aria-pressed={withOthers} onClick={() => onOthers(!withOthers)}>
          {withOthers ? 'Show Selected Only' : 'Show Others Too'}
        </Button>
      )}
      <span role="status" className={beyond > 0 ? 'map-panel flex items-center px-2 py-1' : 'sr-only'}>
        {beyond > 0 && beyondText(beyond, selection.chosen.length)}
      </span>
    </>
  );
}

function isWithin({ west, south, east, north }: MapView, { lat, lng }: Point): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

/** What is selected and not to be seen is easily taken for lost. */
function beyondText(beyond: number, chosen: number): string {
  if (chosen === 1) return 'The selected location is outside this view: zoom out to see it';
  return `${beyond} of ${chosen} selected ${beyond === 1 ? 'is' : 'are'} outside this view: zoom out to see ${beyond === 1 ? 'it' : 'them'}`;
}

function boxOf({ west, south, east, north }: MapView) {
  const within = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees));
  return { west: within(west, 180), south: within(south, 90), east: within(east, 180), north: within(north, 90) };
}
