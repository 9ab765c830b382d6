import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useInfoWindow } from './layers/info-popup.ts';
import { GroupInfo, PlaceInfo } from './layers/info-window.tsx';
import { Legend } from './layers/legend.tsx';
import { MapButtons } from './map-buttons.tsx';
import { boundsOf, type MapPlace, type MapRoute, mapZoom, placeKey, straightLinesNote } from './map-data.ts';
import type { LocationMapProps } from './map-props.ts';
import { type MapLook, MapStage } from './map-stage.ts';
import type { Mark } from './marks/marks.ts';

const none: readonly never[] = [];
const noKeys: ReadonlySet<string> = new Set();

/** Where a map without any location looks: the contiguous United States. */
const country = { west: -124.8, south: 24.5, east: -66.9, north: 49.4 };

/** What lies over the lower edge stands this far from it. */
const edgeGapPx = 8;

/** The drawn map. Loaded apart, since it brings the map engine. */
export function MapView(props: LocationMapProps) {
  const holder = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLUListElement>(null);
  const edge = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'idle'>('loading');
  const routes = props.routes ?? none;
  const wanted = useMemo(() => lookOf(props), [props]);
  const pressed = useEffectEvent((stage: MapStage, mark: Mark) => press(stage, mark));
  const stage = useStage(
    holder,
    {
      ...{ label: props.label, styleUrl: props.styleUrl ?? null, look: wanted },
      covered: () => ({
        ...cornerOf(legend.current),
        bottom: edge.current ? edge.current.offsetHeight + edgeGapPx : 0,
      }),
    },
    { setState, pressed },
  );
  const info = useInfoWindow(stage);

  function press(on: MapStage, { drawing, key }: Mark): void {
    if (drawing.kind === 'incident') props.onIncident?.(drawing.incident.id);
    if (drawing.kind === 'cluster' && !on.spread(drawing.places)) info.open(drawing.places, key);
    if (drawing.kind === 'group') on.zoomInto(drawing.group);
    if (drawing.kind !== 'place') return;
    info.open([drawing.place], key);
    props.onSelect?.({ type: drawing.place.type, id: drawing.place.id });
  }

  function choose(place: MapPlace): void {
    info.open([place], placeKey(place));
    props.onSelect?.({ type: place.type, id: place.id });
  }

  usePick(stage, props.onPick);
  useView(stage, props.onView);
  useContent(stage, props);
  useLook(stage, wanted, props);

  return (
    <div className="absolute inset-0" data-map={state}>
      <div ref={holder} className="map-holder" />
      <MapButtons
        onZoom={(steps) => stage?.zoomBy(steps)}
        onFit={() => stage?.look(fitOf(props))}
        own={props.own ?? null}
        onOwn={(own) => stage?.look({ center: own, zoom: mapZoom.several })}
      />
      <Legend ref={legend} routes={routes} />
      <div
        ref={edge}
        className="pointer-events-none absolute inset-x-2 bottom-2 z-2 flex flex-wrap-reverse items-end justify-between gap-2"
      >
        <div className="pointer-events-auto">{props.corner}</div>
        <Caption text={props.caption} routes={routes} />
      </div>
      {info.shown && createPortal(infoContent(info.shown.places, props.actions, choose), info.holder)}
    </div>
  );
}

function cornerOf(panel: HTMLElement | null) {
  if (!panel) return { width: 0, height: 0 };
  return { width: panel.offsetLeft + panel.offsetWidth, height: panel.offsetTop + panel.offsetHeight };
}

type Actions = LocationMapProps['actions'];

function infoContent(places: readonly MapPlace[], actions: Actions, choose: (place: MapPlace) => void): ReactNode {
  const [only] = places;
  if (only && places.length === 1) return <PlaceInfo place={only} actions={actions} />;
  return <GroupInfo places={places} onChoose={choose} />;
}

type Setup = ConstructorParameters<typeof MapStage>[1];
type Heard = { setState: (state: 'loading' | 'idle') => void; pressed: (stage: MapStage, mark: Mark) => void };

function useStage(holder: RefObject<HTMLDivElement | null>, setup: Setup, heard: Heard): MapStage | null {
  const [stage, setStage] = useState<MapStage | null>(null);
  const begin = useEffectEvent((element: HTMLDivElement) => {
    const made: MapStage = new MapStage(element, setup, {
      state: heard.setState,
      pressed: (mark) => heard.pressed(made, mark),
    });
    return made;
  });
  const { styleUrl } = setup;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style is another map
  useEffect(() => {
    if (!holder.current) return;
    const made = begin(holder.current);
    setStage(made);
    return () => {
      setStage(null);
      made.end();
    };
  }, [holder, styleUrl]);
  return stage;
}

function usePick(stage: MapStage | null, onPick: LocationMapProps['onPick']): void {
  const picked = useEffectEvent((lat: number, lng: number) => onPick?.({ lat, lng }));
  useEffect(() => {
    stage?.map.on('click', ({ lngLat }) => picked(lngLat.lat, lngLat.lng));
  }, [stage]);
}

function useView(stage: MapStage | null, onView: LocationMapProps['onView']): void {
  const seen = useEffectEvent((made: MapStage) => onView?.(made.view()));
  useEffect(() => {
    if (!stage) return;
    seen(stage);
    stage.map.on('moveend', () => seen(stage));
  }, [stage]);
}

function useContent(stage: MapStage | null, props: LocationMapProps): void {
  const {
    places,
    groups = none,
    routes = none,
    depots = none,
    vans = none,
    incidents = none,
    own = null,
    selected = noKeys,
  } = props;
  useEffect(() => {
    stage?.show({ places, groups, routes, depots, vans, incidents, own, selected });
  }, [stage, places, groups, routes, depots, vans, incidents, own, selected]);
}

/** Moves the map only when what it was told to look at changes, never because a list was fetched again. */
function useLook(stage: MapStage | null, wanted: MapLook, props: LocationMapProps): void {
  const told = JSON.stringify(
    'center' in wanted
      ? wanted
      : // With several routes comes a legend, which takes its room.
        [props.fitKey ?? '', props.places.length + (props.groups?.length ?? 0) > 0, (props.routes ?? none).length > 1],
  );
  const last = useRef<{ stage: MapStage; told: string } | null>(null);
  useEffect(() => {
    if (!stage) return;
    const isNew = last.current?.stage !== stage;
    if (!isNew && last.current?.told !== told) stage.look(wanted);
    last.current = { stage, told };
  }, [stage, told, wanted]);
}

function lookOf(props: LocationMapProps): MapLook {
  const { center, zoom, around } = props;
  if (center && zoom !== undefined) return { center, zoom, around };
  return fitOf(props);
}

function fitOf({ places, routes = none, depots = none, maxZoom = 14, extent }: LocationMapProps): MapLook {
  if (extent) return { fit: extent, maxZoom };
  const points = [...places, ...routes.flatMap((route) => route.points)];
  return { fit: boundsOf(points.length > 0 ? points : depots) ?? country, maxZoom };
}

function Caption({ text, routes }: { text: string | undefined; routes: readonly MapRoute[] }) {
  const straight = routes.filter((route) => !route.followsRoads && route.points.length > 1);
  const notes = straight.map(({ straightNote = straightLinesNote }) => straightNote);
  const lines = [...new Set([text, ...notes])].filter((line) => line !== undefined);
  if (lines.length === 0) return null;
  return (
    <div className="map-panel map-caption grid px-2 py-0.5 text-right">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}
