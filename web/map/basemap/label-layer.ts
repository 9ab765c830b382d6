import type { Map as MapLibreMap } from 'maplibre-gl';
import { type Box, type Label, type PlacedLabel, placeLabels } from './labels.ts';

const mostLabels = 48;

/** Writes the names of states, counties and towns over the built-in map. They are decoration to a screen reader. */
export class LabelLayer {
  readonly #map: MapLibreMap;
  readonly #root: HTMLElement;
  #labels: Label[] = [];
  #placed: { entry: PlacedLabel; element: HTMLElement }[] = [];

  constructor(map: MapLibreMap) {
    this.#map = map;
    this.#root = document.createElement('div');
    this.#root.className = 'map-labels';
    this.#root.setAttribute('aria-hidden', 'true');
    map.getCanvas().after(this.#root);
    map.on('move', () => this.#follow());
  }

  add(labels: readonly Label[]): void {
    this.#labels = [...this.#labels, ...labels];
  }

  /** Writes the names that fit; `names` are those of the locations in view, after the towns. */
  place(taken: readonly Box[], names: readonly Label[]): void {
    const canvas = this.#map.getCanvas();
    const placed = placeLabels([...this.#labels, ...names], {
      zoom: this.#map.getZoom(),
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      project: ({ lng, lat }) => this.#map.project([lng, lat]),
      taken,
      limit: mostLabels,
    });
    this.#placed = placed.map((entry) => ({ entry, element: this.#write(entry) }));
    this.#root.replaceChildren(...this.#placed.map(({ element }) => element));
  }

  #write({ label, x, y }: PlacedLabel): HTMLElement {
    const element = document.createElement('span');
    element.className = `map-label map-label-${label.kind}${label.rim === undefined ? '' : ' is-chosen'}`;
    element.textContent = label.text;
    element.style.transform = at(x, y);
    return element;
  }

  #follow(): void {
    for (const { entry, element } of this.#placed) {
      const { x, y } = this.#map.project([entry.label.lng, entry.label.lat]);
      element.style.transform = at(x + entry.shift[0], y + entry.shift[1]);
    }
  }
}

function at(x: number, y: number): string {
  return `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
}
