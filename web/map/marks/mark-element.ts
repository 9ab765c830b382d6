import { seriesColour, shapeOutline, tickOutline } from '../layers/marker-shape.tsx';
import { severityColour, severityOutline } from '../layers/severity-shape.tsx';
import type { MapIncident, MapPlace, Series } from '../map-data.ts';
import { clusterText, type Mark } from './marks.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** What can be pressed: locations, clusters and incidents. Depots, routes under way and the like only show where they are. */
export function canBePressed({ drawing }: Mark): boolean {
  return (
    drawing.kind === 'place' || drawing.kind === 'cluster' || drawing.kind === 'group' || drawing.kind === 'incident'
  );
}

/** Draws a mark, as a button where it can be pressed. Its colours are design tokens: light and dark switch by themselves. */
export function markElement(mark: Mark): HTMLElement {
  const element = canBePressed(mark) ? button() : picture();
  element.className = `map-mark map-${mark.drawing.kind === 'group' ? 'cluster' : mark.drawing.kind}`;
  element.setAttribute('aria-label', mark.label);
  element.dataset.tip = mark.label;
  element.dataset.mark = mark.key;
  element.append(...contentOf(mark));
  const { drawing } = mark;
  if ((drawing.kind === 'place' || drawing.kind === 'cluster') && drawing.selected)
    element.classList.add('is-selected');
  return element;
}

function button(): HTMLElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.tabIndex = -1;
  return element;
}

function picture(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', 'img');
  return element;
}

function contentOf({ drawing }: Mark): Node[] {
  switch (drawing.kind) {
    case 'place':
      return [placeDrawing(drawing.place)];
    case 'cluster':
      return [clusterDrawing(drawing.places.length, drawing.series)];
    case 'group':
      return [clusterDrawing(drawing.group.count)];
    case 'depot':
      return [svg([outline('M4.5 11.2 12 5l7.5 6.2V19H4.5ZM9.5 19v-5h5v5', 'none', 'currentColor')])];
    case 'incident':
      return incidentDrawing(drawing.incident);
    case 'van':
      return vanDrawing(drawing.van.label, drawing.van.detail);
    case 'own':
      return [];
  }
}

function placeDrawing(place: MapPlace): Node {
  const numbered = place.number !== undefined;
  const series = numbered || place.state === 'done' ? (place.series ?? 1) : place.series;
  const shape = outline(shapeOutline[series ?? 0], seriesColour(series), 'var(--map-land)');
  if (place.state === 'done') return svg([shape, outline(tickOutline, 'none', 'var(--on-state)')]);
  if (numbered) return svg([shape, digits(String(place.number))]);
  return svg([shape, outline(innerOutline[place.type], 'var(--on-state)')]);
}

/** A market is a round, a machine an upright bar, beside the words that say so. */
const innerOutline = {
  market: 'M12 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6Z',
  vending_machine: 'M10 8h4v8h-4Z',
};

function clusterDrawing(count: number, series?: Series): Node {
  const text = document.createElement('span');
  text.textContent = clusterText(count);
  const size = Math.round(26 + Math.min(20, Math.log2(count) * 2));
  text.style.width = `${size}px`;
  text.style.height = `${size}px`;
  if (series) text.style.borderColor = seriesColour(series);
  return text;
}

function incidentDrawing({ severity, word }: MapIncident): Node[] {
  const text = document.createElement('span');
  text.textContent = word;
  const shape = outline(severityOutline[severity], severityColour[severity]);
  return [svg([shape, outline('M12 7.5v5.5M12 16v.6', 'none', 'var(--on-state)')]), text];
}

function vanDrawing(label: string, detail: string): Node[] {
  const name = document.createElement('strong');
  name.textContent = label;
  return [name, document.createTextNode(` ${detail}`)];
}

function svg(children: SVGElement[]): SVGSVGElement {
  const root = document.createElementNS(svgNamespace, 'svg');
  root.setAttribute('viewBox', '-1 -1 26 26');
  root.setAttribute('aria-hidden', 'true');
  root.append(...children);
  return root;
}

function outline(d: string, fill: string, stroke = 'none'): SVGElement {
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', d);
  path.style.fill = fill;
  path.style.stroke = stroke;
  return path;
}

function digits(text: string): SVGElement {
  const element = document.createElementNS(svgNamespace, 'text');
  element.setAttribute('x', '12');
  element.setAttribute('y', '12');
  element.setAttribute('dy', '0.36em');
  element.setAttribute('text-anchor', 'middle');
  element.setAttribute('font-size', text.length > 2 ? '9' : '12');
  element.textContent = text;
  return element;
}
