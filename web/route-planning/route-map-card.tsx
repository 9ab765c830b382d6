import { type ReactNode, useMemo, useState } from 'react';
import type { LocationRef, Point } from '../../domain/location.ts';
import { useMay, useNothingOwn } from '../auth/api.ts';
import { useIncidentsOnMap } from '../incidents/use-incidents-on-map.tsx';
import { LocationMap } from '../map/location-map.tsx';
import { logged } from '../map/logged.ts';
import {
  type MapBox,
  type MapDepot,
  type MapGroup,
  type MapPlace,
  type MapRoute,
  type MapView,
  mapMinHeightPx,
  mapZoom,
  placeKey,
} from '../map/map-data.ts';
import { useDirections, useRoadRoutes } from '../map/use-directions.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { navigateTo } from './navigate.ts';
import { PlaceButtons, PlacesList, type PlannedArrival } from './places/places-list.tsx';
import { lengthText } from './plan/plan.ts';

type Props = {
  places: readonly MapPlace[];
  /** Those of which only the number is known. */
  groups: readonly MapGroup[];
  extent: MapBox | null;
  isLoading: boolean;
  /** Why the locations are not there; null: they are, or on their way. */
  failure: unknown;
  onRetry: () => void;
  selected: ReadonlySet<string>;
  routes: readonly MapRoute[];
  depots: readonly MapDepot[];
  arrivals: ReadonlyMap<string, PlannedArrival>;
  own: Point | null;
  /** Where the map looks once something is selected. */
  center: Point | undefined;
  zoom: number;
  around: MapBox | undefined;
  fitKey: string;
  styleUrl: string | null;
  noMarkets: boolean;
  optimizing: boolean;
  onSelect: (ref: LocationRef) => void;
  onOptimize: () => void;
  onView: (view: MapView) => void;
  /** Other buttons on the map. */
  buttons: ReactNode;
};

type Way = { to: MapPlace; from: Point; fromOwn: boolean };
type RoadLine = NonNullable<ReturnType<typeof useDirections>>;

/** Who may not add a market is told whom to ask instead. */
function AddMarkets() {
  const nothingOwn = useNothingOwn();
  if (!useMay('office:write')) return <p className="text-text-2">{nothingOwn}</p>;
  return (
    <AppLink href="/markets" className={`${buttonClass()} max-lg:min-h-12`}>
      Open Markets
    </AppLink>
  );
}

/** The map, the way to one location on it, and under it the same locations as a list. */
export function RouteMapCard(props: Props) {
  const { places, groups, own, depots } = props;
  const grouped = groups.reduce((sum, group) => sum + group.count, 0);
  const [way, setWay] = useState<Way | null>(null);
  const traffic = useIncidentsOnMap();
  const shownWay = way && places.some((place) => placeKey(place) === placeKey(way.to)) ? way : null;
  const wayPoints = useMemo(() => (shownWay ? [shownWay.from, shownWay.to] : null), [shownWay]);
  const road = useDirections(wayPoints);
  const wayLines = useRoadRoutes(useMemo(() => straightWay(shownWay), [shownWay]));
  const routes = useMemo(() => [...props.routes, ...wayLines], [props.routes, wayLines]);
  const actions = { onDirections: directions, onNavigate: (place: MapPlace) => navigateTo(place, own) };

  function directions(place: MapPlace): void {
    const from = own ?? depots[0];
    if (from) setWay({ to: place, from, fromOwn: from === own });
    else logged('Directions', 'neither your position nor a depot is known');
  }

  if (props.noMarkets && places.length + grouped === 0) {
    return (
      <Card title="Route Map">
        <div className="grid place-items-center" style={{ minHeight: mapMinHeightPx }}>
          <StateView
            icon="market"
            title="No Markets Available"
            text="Add markets to see route planning"
            action={<AddMarkets />}
          />
        </div>
      </Card>
    );
  }
  return (
    <Card title="Route Map">
      {props.noMarkets && (
        <p className="border-line border-b px-4 py-2 text-text-2">
          <strong className="font-semibold text-text">No Markets Available</strong> Add markets to see route planning
        </p>
      )}
      <div className="relative lg:h-120" style={{ minHeight: mapMinHeightPx }}>
        <LocationMap
          label="Map of the locations"
          places={places}
          groups={groups}
          extent={props.extent}
          selected={props.selected}
          onView={props.onView}
          routes={routes}
          depots={depots}
          own={own}
          {...traffic.onMap}
          onSelect={props.onSelect}
          actions={(place) => <PlaceButtons place={place} {...actions} />}
          center={props.center}
          zoom={props.center ? props.zoom : undefined}
          around={props.around}
          maxZoom={props.routes.length > 0 ? mapZoom.several : mapZoom.one}
          fitKey={props.fitKey}
          styleUrl={props.styleUrl}
          corner={
            <span className="flex flex-wrap gap-2">
              {places.length + grouped > 1 && (
                <Button className="max-lg:min-h-12" disabled={props.optimizing} onClick={props.onOptimize}>
                  {props.optimizing ? 'Optimizing...' : 'Optimize Route'}
                </Button>
              )}
              {props.buttons}
            </span>
          }
        />
      </div>
      {traffic.pressed}
      {shownWay && <WayNote way={shownWay} road={road} onClose={() => setWay(null)} />}
      {props.failure && places.length === 0 ? (
        <div className="border-line border-t">
          <FailedView error={props.failure} retry={props.onRetry} title="The locations on the map did not load" />
        </div>
      ) : (
        <PlacesList
          places={places}
          grouped={grouped}
          isMixed={props.selected.size > 0}
          isLoading={props.isLoading && places.length === 0}
          arrivals={props.arrivals}
          {...actions}
        />
      )}
    </Card>
  );
}

function straightWay(way: Way | null): MapRoute[] {
  if (!way) return [];
  const points = [way.from, way.to];
  return [{ key: 'way', name: way.to.name, series: 5, points, doneCount: 0, followsRoads: false }];
}

type WayNoteProps = { way: Way; road: RoadLine | null; onClose: () => void };

function WayNote({ way, road, onClose }: WayNoteProps) {
  const isDriven = road?.followsRoads ?? false;
  return (
    <p className="flex items-center gap-2 border-line border-t px-4 py-2" role="status">
      <span className="min-w-0 flex-1">
        <strong className="font-semibold tabular-nums">{lengthText(way, isDriven && road ? road.metres : null)}</strong>{' '}
        {isDriven ? 'by road' : 'in a straight line'} from {way.fromOwn ? 'your position' : 'the depot'} to{' '}
        {way.to.name}
      </span>
      <Button variant="quiet" onClick={onClose}>
        Clear
      </Button>
    </p>
  );
}
