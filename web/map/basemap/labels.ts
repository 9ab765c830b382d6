/** A name that may be written on the map. Lower rank is placed first; `minZoom` and `maxZoom` bound where it makes sense. */
export type Label = {
  text: string;
  lat: number;
  lng: number;
  rank: number;
  minZoom: number;
  maxZoom: number;
  kind: LabelKind;
  /** Pixels under its point: the name of a location stands under the marker. */
  below?: number;
  /** Pixels from its point to the rim of a marker that was chosen: its name is always written, where there is room best. */
  rim?: number;
};
type LabelKind = 'state' | 'town' | 'county' | 'place';

/** A town of the build-time list: name, latitude, longitude, inhabitants. */
export type Town = readonly [name: string, lat: number, lng: number, population: number];

export type Box = { left: number; top: number; right: number; bottom: number };
export type PlacedLabel = { label: Label; x: number; y: number; shift: Shift };
/** From the point of a label to its middle, in pixels. */
type Shift = [dx: number, dy: number];

/** Inhabitants from which a town is written at a zoom. */
const townClasses: readonly { from: number; minZoom: number }[] = [
  { from: 3_000_000, minZoom: 3 },
  { from: 1_000_000, minZoom: 4.5 },
  { from: 300_000, minZoom: 5.5 },
  { from: 100_000, minZoom: 6.5 },
  { from: 30_000, minZoom: 7.5 },
  { from: 0, minZoom: 8.5 },
];

export function townLabels(towns: readonly Town[]): Label[] {
  return towns.map(([text, lat, lng, population]) => ({
    text,
    lat,
    lng,
    rank: 1e9 - population,
    minZoom: townClasses.find((size) => population >= size.from)?.minZoom ?? 9,
    maxZoom: 24,
    kind: 'town',
  }));
}

/** Width of a label in pixels at 12 px type; an estimate is enough to keep names apart. */
function widthPx(text: string, kind: LabelKind): number {
  return text.length * (kind === 'state' ? 8.6 : 6.6) + 8;
}

export const labelHeightPx = 18;

function boxOf(label: Label, x: number, y: number): Box {
  const half = widthPx(label.text, label.kind) / 2;
  return { left: x - half, right: x + half, top: y - labelHeightPx / 2, bottom: y + labelHeightPx / 2 };
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

type Screen = {
  zoom: number;
  width: number;
  height: number;
  project: (label: Label) => { x: number; y: number };
  /** What must stay free: markers, controls. */
  taken: readonly Box[];
  limit: number;
};

/** Chooses the names that fit: most important first, none over another or over a marker. */
export function placeLabels(labels: readonly Label[], screen: Screen): PlacedLabel[] {
  const wanted = labels
    .filter((label) => screen.zoom >= label.minZoom && screen.zoom < label.maxZoom)
    .sort((a, b) => a.rank - b.rank);
  const taken = [...screen.taken];
  const placed: PlacedLabel[] = [];
  const written = new Set<string>();
  for (const label of wanted) {
    if (placed.length >= screen.limit) break;
    if (label.rim === undefined && written.has(label.text)) continue;
    const at = screen.project(label);
    const free = shiftsOf(label).find((shift) => !isCovered(label, at, { shift, screen, taken }));
    const shift = free ?? onTop(label, at, { screen, placed });
    if (!shift) continue;
    const [x, y] = [at.x + shift[0], at.y + shift[1]];
    taken.push(boxOf(label, x, y));
    written.add(label.text);
    placed.push({ label, x, y, shift });
  }
  return placed;
}

/** Where a name may stand: under its point, one that was chosen also above and at the sides. */
function shiftsOf(label: Label): Shift[] {
  const { below = 0, rim } = label;
  if (rim === undefined) return [[0, below]];
  const aside = rim + widthPx(label.text, label.kind) / 2;
  return [
    [0, below],
    [0, -below],
    [aside, 0],
    [-aside, 0],
  ];
}

type Wish = { shift: Shift; screen: Pick<Screen, 'width' | 'height'>; taken: readonly Box[] };

function isCovered(label: Label, at: { x: number; y: number }, { shift, screen, taken }: Wish): boolean {
  const box = boxOf(label, at.x + shift[0], at.y + shift[1]);
  if (box.left < 0 || box.top < 0 || box.right > screen.width || box.bottom > screen.height) return true;
  return taken.some((other) => overlaps(box, other));
}

type Over = { screen: Pick<Screen, 'width' | 'height'>; placed: readonly PlacedLabel[] };

/** What was chosen is named over the markers of others rather than not at all, never over another name. */
function onTop(label: Label, at: { x: number; y: number }, { screen, placed }: Over): Shift | undefined {
  if (label.rim === undefined) return undefined;
  const taken = placed.map((one) => boxOf(one.label, one.x, one.y));
  return shiftsOf(label).find((shift) => !isCovered(label, at, { shift, screen, taken }));
}
