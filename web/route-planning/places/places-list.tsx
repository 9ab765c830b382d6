import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useRef } from 'react';
import { formatNumber } from '../../http/format.ts';
import { DelayNote } from '../../incidents/delay-note.tsx';
import { MarkerShape } from '../../map/layers/marker-shape.tsx';
import { type MapPlace, placeKey, placeLabel } from '../../map/map-data.ts';
import { WhyLine } from '../../need/why-line.tsx';
import { Button } from '../../ui/button.tsx';
import { DoorNote } from '../../ui/door-note.tsx';
import { useNow } from '../../ui/use-now.ts';

const rowPx = 56;

/** When a stop is reached, also as time of day, whether its door is open then, how long it takes there, and what incidents add to the way. */
export type PlannedArrival = {
  at: string;
  time: string;
  opensAt: string | null;
  closesAt: string | null;
  service: string;
  incidents: readonly number[];
  delay: number;
};

export type PlaceActions = {
  onDirections: (place: MapPlace) => void;
  onNavigate: (place: MapPlace) => void;
};

type Props = PlaceActions & {
  places: readonly MapPlace[];
  /** How many the map draws in groups: beside these, or with some of these among them. */
  grouped: number;
  isMixed: boolean;
  /** How many there are is not known yet. */
  isLoading: boolean;
  /** Planned arrivals by location key. */
  arrivals: ReadonlyMap<string, PlannedArrival>;
};

/** The locations on the map as a list, in planned order once there is one. */
export function PlacesList({ places, grouped, isMixed, isLoading, arrivals, onDirections, onNavigate }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  // Heights belong to the place, not to its number: an order that is planned moves places.
  const getItemKey = useCallback(
    (index: number) => {
      const place = places[index];
      return place ? placeKey(place) : index;
    },
    [places],
  );
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey,
    overscan: 4,
    initialRect: { width: 640, height: 336 },
  });
  return (
    <section className="border-line border-t" aria-labelledby="places-heading">
      <h3 id="places-heading" className="px-4 pt-3 pb-2 font-semibold text-14 text-text">
        Locations{isLoading ? '' : ` (${formatNumber(places.length + (isMixed ? 0 : grouped))})`}
      </h3>
      {grouped > 0 && (
        <p className="px-4 pb-3 text-text-2">
          {formatNumber(grouped)} are drawn in groups. Zoom in, search or choose a route to list them one by one.
        </p>
      )}
      <div ref={scroller} className="max-h-84 overflow-y-auto">
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const place = places[index];
            if (!place) return null;
            return (
              <li
                key={placeKey(place)}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-2"
                style={{ transform: `translateY(${start}px)` }}
              >
                <PlaceText place={place} arrival={arrivals.get(placeKey(place))} />
                <span className="ml-8 sm:ml-0">
                  <PlaceButtons
                    place={place}
                    onDirections={onDirections}
                    onNavigate={onNavigate}
                    className="sm:flex-col"
                  />
                </span>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function PlaceText({ place, arrival }: { place: MapPlace; arrival: PlannedArrival | undefined }) {
  const now = useNow();
  return (
    <>
      <MarkerShape series={place.series} {...(place.number === undefined ? {} : { text: String(place.number) })} />
      <span className="min-w-0 flex-1 basis-44">
        <span className="line-clamp-2 font-medium" title={place.name}>
          {placeLabel(place)}
        </span>
        <span className="block truncate text-12 text-text-2" title={place.address}>
          {place.address}
        </span>
        {arrival && <span className="block text-12 text-text-3">{arrival.service}</span>}
        {arrival && <DoorNote {...arrival} className="block" />}
        {arrival && <DelayNote stop={arrival} className="block" />}
        <WhyLine place={place} />
      </span>
      {arrival && (
        <span className="flex-none text-right text-12 text-text-2 tabular-nums">
          {arrival.time}
          {Date.parse(arrival.at) < now.getTime() && <span className="block text-warn-text">Already past</span>}
        </span>
      )}
    </>
  );
}

/** 'directions' draws the way here, 'navigate' opens the phone's maps app. */
export function PlaceButtons({
  place,
  onDirections,
  onNavigate,
  className = '',
}: PlaceActions & { place: MapPlace; className?: string }) {
  return (
    <span className={`flex flex-none gap-1 ${className}`}>
      <Button
        className="max-lg:min-h-12"
        onClick={() => onDirections(place)}
        aria-label={`Directions to ${place.name}`}
      >
        Directions
      </Button>
      <Button className="max-lg:min-h-12" onClick={() => onNavigate(place)} aria-label={`Navigate to ${place.name}`}>
        Navigate
      </Button>
    </span>
  );
}
