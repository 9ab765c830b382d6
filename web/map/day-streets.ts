import type { Point } from '../../domain/location.ts';

/** The street tiles of a day's stops, kept for places without signal. The service worker keeps what is asked for here. */

/** As the server builds them. */
const zooms = { from: 6, to: 14 };
/** Tiles to each side of a stop's own: at the closest about 2 km in every direction. */
const around = 1;
/** A long day in the country; more is fetched when it is looked at. */
export const mostTiles = 600;

/** Tiles of the surroundings of points, the coarse ones first: should it end early, the whole day is there at a distance. */
export function tilesAround(points: readonly Point[]): { z: number; x: number; y: number }[] {
  const found = new Map<string, { z: number; x: number; y: number }>();
  for (let z = zooms.from; z <= zooms.to; z++) {
    const last = 2 ** z - 1;
    for (const point of points) {
      const at = tileOf(point, z);
      for (let x = at.x - around; x <= at.x + around; x++) {
        for (let y = at.y - around; y <= at.y + around; y++) {
          if (x >= 0 && y >= 0 && x <= last && y <= last) found.set(`${z}/${x}/${y}`, { z, x, y });
        }
      }
    }
  }
  return [...found.values()].slice(0, mostTiles);
}

/** Web Mercator, as every street map has it. */
function tileOf({ lat, lng }: Point, z: number): { x: number; y: number } {
  const size = 2 ** z;
  const phi = (lat * Math.PI) / 180;
  const x = Math.floor(((lng + 180) / 360) * size);
  const y = Math.floor(((1 - Math.log(Math.tan(phi) + 1 / Math.cos(phi)) / Math.PI) / 2) * size);
  return { x, y };
}

type Deps = {
  /** Where tiles are, with {z}, {x} and {y}; null where the server has built none. */
  findTiles: () => Promise<string | null>;
  fetch: (url: string) => Promise<unknown>;
  isWanted: () => boolean;
};

const kept = new Set<string>();

/** Fetches each tile once while the page lives; stops as soon as the network does, or nobody wants it any more. */
export async function keepStreets(points: readonly Point[], { findTiles, fetch, isWanted }: Deps): Promise<void> {
  const template = points.length > 0 ? await findTiles() : null;
  if (template === null) return;
  for (const { z, x, y } of tilesAround(points)) {
    const url = template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    if (kept.has(url)) continue;
    if (!isWanted()) return;
    await fetch(url);
    kept.add(url);
  }
}
