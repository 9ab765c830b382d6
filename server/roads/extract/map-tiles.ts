import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { GeoJSONVT, type GeoJSONVTFeature, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { MapFeatures } from './map-features.ts';

/** Zooms that tiles are made for; the map enlarges the last ones. */
const zooms = { from: 6, to: 14 };

/** Writes vector tiles (gzip) as `z/x/y.pbf` into the folder; returns how many. */
export async function writeTiles(folder: string, map: MapFeatures, say: (share: number) => void): Promise<number> {
  const index = (data: MapFeatures['streets'] | MapFeatures['water'] | MapFeatures['names']) =>
    new GeoJSONVT(data, { maxZoom: zooms.to, indexMaxZoom: 8, tolerance: 3, extent: 4096, buffer: 64 });
  const layers = { streets: index(map.streets), water: index(map.water), names: index(map.names) };
  let written = 0;
  for (let z = zooms.from; z <= zooms.to; z += 1) {
    const { columns, rows } = tilesOver(map.bounds, z);
    for (const x of columns) {
      await mkdir(path.join(folder, String(z), String(x)), { recursive: true });
      for (const y of rows) {
        const tile = encoded(layers, { z, x, y });
        if (!tile) continue;
        await writeFile(path.join(folder, String(z), String(x), `${y}.pbf`), tile);
        written += 1;
      }
    }
    say((z - zooms.from + 1) / (zooms.to - zooms.from + 1));
  }
  return written;
}

type At = { z: number; x: number; y: number };

function encoded(layers: Record<string, GeoJSONVT>, { z, x, y }: At): Buffer | null {
  const kept: Record<string, GeoJSONVTTile> = {};
  for (const [name, layer] of Object.entries(layers)) {
    const tile = layer.getTile(z, x, y);
    const all: readonly GeoJSONVTFeature[] = tile?.features ?? [];
    const features = all.filter(({ tags }) => Number(tags?.zoom ?? 0) <= z);
    // The library's type wants its inner and its outer form of a feature at once; the writer reads the outer one.
    if (features.length > 0) kept[name] = { ...tile, features } as GeoJSONVTTile;
  }
  if (Object.keys(kept).length === 0) return null;
  return gzipSync(fromGeojsonVt(kept, { version: 2, extent: 4096 }));
}

/** Tile numbers over a box at a zoom. Source: web Mercator, wiki.openstreetmap.org/wiki/Slippy_map_tilenames. */
function tilesOver([west, south, east, north]: MapFeatures['bounds'], z: number) {
  const count = 2 ** z;
  const column = (lng: number): number => Math.min(count - 1, Math.max(0, Math.floor(((lng + 180) / 360) * count)));
  const row = (lat: number): number => {
    const angle = (lat * Math.PI) / 180;
    return Math.min(count - 1, Math.max(0, Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * count)));
  };
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return { columns: range(column(west), column(east)), rows: range(row(north), row(south)) };
}
