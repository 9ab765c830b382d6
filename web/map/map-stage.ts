import {
  type GeoJSONSource,
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as MapLibreMap,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import type { Point } from '../../domain/location.ts';
import { LabelLayer } from './basemap/label-layer.ts';
import { type Arrival, loadBasemap } from './basemap/load.ts';
import { addStreets, streetLayers, streetNames } from './basemap/streets.ts';
import { basemapStyle, type MapColours, mapColours } from './basemap/style.ts';
import { onThemeChange } from './basemap/theme.ts';
import { type Covered, fitPadding, fitPaddingPx } from './fit-padding.ts';
import { recolourIncidents, showIncidents } from './layers/incident-layer.ts';
import { recolourRoutes, showRoutes } from './layers/route-layer.ts';
import { logged } from './logged.ts';
import { boundsOf, type MapBox, type MapPlace, type MapRoute, type MapView } from './map-data.ts';
import { MarkerLayer } from './marks/marker-layer.ts';
import { type Extras, extraMarks, type Mark, offPlaces, PlaceMarks } from './marks/marks.ts';
import { leastZoom, zoomAround } from './zoom-around.ts';

setWorkerUrl(workerUrl);

/** What stands on the map. */
export type MapContent = Extras & {
  places: readonly MapPlace[];
  routes: readonly MapRoute[];
  selected: ReadonlySet<string>;
};

/** Where the map looks: at a point, from no nearer than shows what is `around` it, or at everything in the box. */
export type MapLook =
  | { center: Point; zoom: number; around?: MapBox | undefined }
  | { fit: NonNullable<ReturnType<typeof boundsOf>>; maxZoom: number };

type Listeners = { state: (state: 'loading' | 'idle') => void; pressed: (mark: Mark) => void };
type Setup = { label: string; styleUrl: string | null; look: MapLook; covered: () => Covered };

/** Longest single camera movement; the browser's wish for less motion makes it none. */
const moveMs = 140;
/** Zoom steps that show more than before. */
const leastNearer = 0.4;

/** One map on the page: the built-in or an online style under markers, names and route lines. */
export class MapStage {
  readonly map: MapLibreMap;
  readonly #holder: HTMLElement;
  readonly #covered: () => Covered;
  readonly #markers: MarkerLayer;
  readonly #labels: LabelLayer;
  readonly #ended = new AbortController();
  readonly #pieces: Arrival[] = [];
  readonly #stopTheme: () => void;
  #colours: MapColours;
  #online: boolean;
  #styleReady = false;
  #content: MapContent | null = null;
  #marks = new PlaceMarks([]);
  #frame = 0;

  constructor(holder: HTMLElement, setup: Setup, listeners: Listeners) {
    this.#holder = holder;
    this.#covered = setup.covered;
    this.#colours = mapColours(holder);
    this.#online = setup.styleUrl !== null;
    this.map = createMap(holder, setup, this.#colours);
    this.#markers = new MarkerLayer(this.map, listeners.pressed);
    this.#labels = new LabelLayer(this.map);
    this.#stopTheme = onThemeChange(() => this.#recolour());
    this.map.on('style.load', () => this.#styleLoaded());
    this.map.on('move', () => this.#soon());
    this.map.on('moveend', () => this.#refresh());
    this.map.on('dataloading', () => listeners.state('loading'));
    this.map.on('idle', () => {
      this.#placeLabels();
      listeners.state('idle');
    });
    this.map.on('error', ({ error }) => this.#failed(error));
  }

  show(content: MapContent): void {
    if (content.places !== this.#content?.places) this.#marks = new PlaceMarks(content.places);
    this.#content = content;
    if (this.#styleReady) this.#showLayers(content);
    this.#refresh();
  }

  /** Circles lie under the lines of routes. */
  #showLayers({ incidents, routes }: MapContent): void {
    showIncidents(this.map, incidents, this.#colours);
    showRoutes(this.map, routes, this.#colours);
  }

  look(look: MapLook): void {
    if ('center' in look) this.map.easeTo({ ...aimOf(look, this.#holder), duration: moveMs });
    else
      this.map.fitBounds(box(look.fit), {
        padding: fitPadding(this.#covered(), sizeOf(this.#holder)),
        maxZoom: look.maxZoom,
        duration: moveMs,
      });
  }

  zoomBy(steps: number): void {
    this.map.easeTo({ zoom: this.map.getZoom() + steps, duration: moveMs });
  }

  /** Shows the members of a cluster apart; false when going nearer would not: they stand at one spot. */
  spread(places: readonly MapPlace[]): boolean {
    const around = boundsOf(places);
    const near = around && this.map.cameraForBounds(box(around), { padding: fitPaddingPx * 1.5, maxZoom: 17 });
    if (!near?.zoom || near.zoom < this.map.getZoom() + leastNearer) return false;
    this.map.easeTo({ ...near, duration: moveMs });
    return true;
  }

  /** A group of many comes apart when it is looked at from near. */
  zoomInto({ west, south, east, north }: MapBox): void {
    const near = this.map.cameraForBounds(box({ west, south, east, north }), { padding: fitPaddingPx, maxZoom: 17 });
    // Corners that lie together, or a group as wide as the view, would leave the map where it is.
    const zoom = Math.max(near?.zoom ?? 0, this.map.getZoom() + 1);
    this.map.easeTo({ center: [(west + east) / 2, (south + north) / 2], zoom, duration: moveMs });
  }

  view(): MapView {
    const bounds = this.map.getBounds();
    return {
      west: bounds.getWest(),
      east: bounds.getEast(),
      south: bounds.getSouth(),
      north: bounds.getNorth(),
      zoom: this.map.getZoom(),
    };
  }

  focusMark(key: string): void {
    this.#markers.focus(key);
  }

  end(): void {
    this.#ended.abort();
    this.#stopTheme();
    cancelAnimationFrame(this.#frame);
    this.#markers.clear();
    this.map.remove();
  }

  #styleLoaded(): void {
    this.#styleReady = true;
    if (this.#content) this.#showLayers(this.#content);
    if (this.#online) return;
    for (const piece of this.#pieces) this.#put(piece);
    if (this.#pieces.length > 0) return;
    loadBasemap((piece) => this.#arrived(piece), this.#ended.signal).catch((reason: unknown) => {
      if (!this.#ended.signal.aborted) logged('The built-in map is incomplete', reason);
    });
    addStreets(this.map, () => this.#colours, this.#ended.signal).catch((reason: unknown) => {
      if (!this.#ended.signal.aborted) logged('Streets are not drawn', reason);
    });
  }

  #arrived(piece: Arrival): void {
    this.#pieces.push(piece);
    this.#put(piece);
  }

  #put(piece: Arrival): void {
    if ('labels' in piece) {
      this.#labels.add(piece.labels);
      this.#placeLabels();
      return;
    }
    this.map.getSource<GeoJSONSource>(piece.source)?.setData(piece.data);
  }

  /** An online style that cannot be had is replaced by the built-in map; single missing tiles are not. */
  #failed(error: { message: string }): void {
    logged('Map', error.message);
    if (!this.#online || this.#styleReady) return;
    this.#online = false;
    this.map.setStyle(basemapStyle(this.#colours), { diff: false });
  }

  #recolour(): void {
    this.#colours = mapColours(this.#holder);
    if (!this.#styleReady) return;
    recolourRoutes(this.map, this.#colours);
    recolourIncidents(this.map, this.#colours);
    if (this.#online) return;
    const layers = [...basemapStyle(this.#colours).layers, ...streetLayers(this.#colours)];
    for (const layer of layers) if (this.map.getLayer(layer.id)) recolour(this.map, layer);
  }

  #soon(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#showMarks();
    });
  }

  #refresh(): void {
    this.#showMarks();
    this.#placeLabels();
  }

  #showMarks(): void {
    if (!this.#content || this.#ended.signal.aborted) return;
    const bounds = this.map.getBounds();
    const [padX, padY] = [(bounds.getEast() - bounds.getWest()) / 10, (bounds.getNorth() - bounds.getSouth()) / 10];
    const view = {
      west: bounds.getWest() - padX,
      east: bounds.getEast() + padX,
      south: bounds.getSouth() - padY,
      north: bounds.getNorth() + padY,
      zoom: this.map.getZoom(),
    };
    const places = this.#marks.inView(view, this.#content.selected);
    this.#markers.show([...offPlaces(extraMarks(this.#content), places, view.zoom), ...places]);
  }

  #placeLabels(): void {
    if (!this.#online) this.#labels.place(this.#markers.taken(), [...this.#markers.names(), ...streetNames(this.map)]);
  }
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight });

function aimOf(look: Extract<MapLook, { center: Point }>, holder: HTMLElement) {
  return { center: look.center, zoom: zoomAround(look, sizeOf(holder)) };
}

function createMap(holder: HTMLElement, { label, styleUrl, look, covered }: Setup, colours: MapColours): MapLibreMap {
  const aim =
    'center' in look
      ? aimOf(look, holder)
      : {
          bounds: box(look.fit),
          fitBoundsOptions: { padding: fitPadding(covered(), sizeOf(holder)), maxZoom: look.maxZoom },
        };
  const map = new MapLibreMap({
    container: holder,
    style: styleUrl ?? basemapStyle(colours),
    attributionControl: styleUrl ? { compact: true } : false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    minZoom: leastZoom,
    maxZoom: 19,
    // On a phone one finger scrolls the page and two move the map.
    cooperativeGestures: window.matchMedia('(pointer: coarse)').matches,
    ...aim,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.getCanvas().setAttribute('aria-label', label);
  return map;
}

function box({ west, south, east, north }: NonNullable<ReturnType<typeof boundsOf>>): LngLatBoundsLike {
  return [west, south, east, north];
}

const colourProperties = ['background-color', 'fill-color', 'line-color'] as const;

function recolour(map: MapLibreMap, layer: LayerSpecification): void {
  const paint: Record<string, unknown> = { ...layer.paint };
  for (const property of colourProperties) {
    const colour = paint[property];
    if (typeof colour === 'string') map.setPaintProperty(layer.id, property, colour);
  }
}
