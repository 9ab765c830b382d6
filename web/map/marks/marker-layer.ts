import { type Map as MapLibreMap, Marker } from 'maplibre-gl';
import { type Label, labelHeightPx } from '../basemap/labels.ts';
import { placeLabel } from '../map-data.ts';
import { canBePressed, markElement } from './mark-element.ts';
import type { Mark } from './marks.ts';

/** Above this many marks in view only the first are drawn: the screen is full. */
const mostMarks = 600;
/** How near a label covers the word under an incident's mark: half of both widths, and their heights. */
const besidePx = 80;
const belowPx = 40;

/** Names of what was chosen come before the towns, names of other locations after them. */
const chosenRank = -1;
const otherRank = 4e9;

type Standing = { mark: Mark; marker: Marker; element: HTMLElement };

/** Keeps the buttons on the map in step with what should stand there; what did not change is not touched. */
export class MarkerLayer {
  readonly #map: MapLibreMap;
  readonly #pressed: (mark: Mark) => void;
  readonly #standing = new Map<string, Standing>();

  constructor(map: MapLibreMap, pressed: (mark: Mark) => void) {
    this.#map = map;
    this.#pressed = pressed;
  }

  show(marks: readonly Mark[]): void {
    const wanted = new Map(marks.slice(0, mostMarks).map((mark) => [mark.key, mark]));
    for (const [key, { mark, marker }] of this.#standing) {
      if (wanted.get(key)?.look === mark.look) continue;
      marker.remove();
      this.#standing.delete(key);
    }
    for (const mark of wanted.values()) this.#place(mark);
    this.#liftWords();
    this.#letOneBeReached();
  }

  #place(mark: Mark): void {
    const known = this.#standing.get(mark.key);
    if (known) {
      known.mark = mark;
      known.marker.setLngLat([mark.lng, mark.lat]).setOffset(mark.offset);
      return;
    }
    const element = markElement(mark);
    if (canBePressed(mark)) this.#listen(element, mark.key);
    const marker = new Marker({ element, offset: mark.offset }).setLngLat([mark.lng, mark.lat]).addTo(this.#map);
    this.#standing.set(mark.key, { mark, marker, element });
  }

  /** The word of an incident stands above its mark where a route's label, a depot or a location would cover it below. */
  #liftWords(): void {
    const all = [...this.#standing.values()];
    const covering = all.flatMap(({ mark }) => {
      const { kind } = mark.drawing;
      if (kind !== 'van' && kind !== 'depot') return [];
      const { x, y } = this.#map.project([mark.lng, mark.lat]);
      return [{ x: x + mark.offset[0], y: y + mark.offset[1] }];
    });
    for (const { mark, element } of all) {
      if (mark.drawing.kind !== 'incident') continue;
      const at = this.#map.project([mark.lng, mark.lat]);
      const isCovered = covering.some(
        ({ x, y }) => Math.abs(x - at.x) < besidePx && y > at.y - 4 && y - at.y < belowPx,
      );
      element.classList.toggle('is-lifted', isCovered || mark.offset[1] !== 0);
    }
  }

  #listen(element: HTMLElement, key: string): void {
    element.addEventListener('click', (event) => {
      event.stopPropagation();
      // The map keeps the press of a mouse to itself, and with it the focus that Escape in the info window needs.
      element.focus({ preventScroll: true });
      const standing = this.#standing.get(key);
      if (standing) this.#pressed(standing.mark);
    });
    element.addEventListener('keydown', (event) => this.#walk(event, key));
  }

  #pressable(): Standing[] {
    return [...this.#standing.values()].filter(({ mark }) => canBePressed(mark));
  }

  /** One mark takes part in the tab order; arrow keys go to the nearest mark in their direction. */
  #letOneBeReached(): void {
    const all = this.#pressable();
    if (all.some(({ element }) => element.tabIndex === 0)) return;
    const first = all[0];
    if (first) first.element.tabIndex = 0;
  }

  #walk(event: KeyboardEvent, from: string): void {
    const direction = directions[event.key];
    if (!direction) return;
    const next = this.#nearest(from, direction);
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    for (const { element } of this.#pressable()) element.tabIndex = -1;
    next.element.tabIndex = 0;
    next.element.focus();
  }

  #nearest(from: string, [dx, dy]: [number, number]): Standing | undefined {
    const start = this.#standing.get(from);
    if (!start) return undefined;
    const origin = this.#map.project([start.mark.lng, start.mark.lat]);
    let best: Standing | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const candidate of this.#pressable()) {
      const at = this.#map.project([candidate.mark.lng, candidate.mark.lat]);
      const ahead = (at.x - origin.x) * dx + (at.y - origin.y) * dy;
      const aside = Math.abs((at.x - origin.x) * dy) + Math.abs((at.y - origin.y) * dx);
      const cost = ahead + aside * 2;
      if (candidate === start || ahead <= 0 || cost >= bestCost) continue;
      best = candidate;
      bestCost = cost;
    }
    return best;
  }

  /** Rectangles in the map's pixels that names must leave free. */
  taken(): { left: number; top: number; right: number; bottom: number }[] {
    return [...this.#standing.values()].map(({ mark, element }) => {
      const at = this.#map.project([mark.lng, mark.lat]);
      const halfWidth = element.offsetWidth / 2 + 2;
      const halfHeight = element.offsetHeight / 2 + 2;
      const [x, y] = [at.x + mark.offset[0], at.y + mark.offset[1]];
      return { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
    });
  }

  /** Names of the locations that stand alone, to be written where there is room. */
  names(): Label[] {
    return [...this.#standing.values()].flatMap(({ mark, element }): Label[] => {
      const { drawing, lat, lng } = mark;
      if (drawing.kind !== 'place' || mark.offset[0] !== 0 || mark.offset[1] !== 0) return [];
      const below = element.offsetHeight / 2 + labelHeightPx / 2 + 4;
      const name: Label = {
        text: placeLabel(drawing.place),
        lat,
        lng,
        rank: drawing.selected ? chosenRank : otherRank,
        minZoom: 11,
        maxZoom: 24,
        kind: 'place',
        below,
      };
      return [drawing.selected ? { ...name, rim: element.offsetWidth / 2 + 4 } : name];
    });
  }

  focus(key: string): void {
    this.#standing.get(key)?.element.focus();
  }

  clear(): void {
    for (const { marker } of this.#standing.values()) marker.remove();
    this.#standing.clear();
  }
}

const directions: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
