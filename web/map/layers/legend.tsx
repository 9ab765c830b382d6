import type { Ref } from 'react';
import type { MapRoute } from '../map-data.ts';
import { MarkerShape } from './marker-shape.tsx';

type Props = { routes: readonly Pick<MapRoute, 'series' | 'name'>[]; ref?: Ref<HTMLUListElement> };

/** What the colours stand for. Lines of one colour and one name are one entry: a route may run twice a day. */
export function Legend({ routes, ref }: Props) {
  const entries = [...new Map(routes.map((route) => [`${route.series} ${route.name}`, route]))];
  if (routes.length < 2) return null;
  return (
    <ul
      ref={ref}
      className="map-panel absolute top-2 left-2 z-2 grid max-h-[60%] max-w-[min(60%,18rem)] grid-cols-1 gap-1 overflow-auto p-2"
    >
      {entries.map(([key, { series, name }]) => (
        <li key={key} className="flex items-center gap-2">
          <MarkerShape series={series} size={14} />
          <span className="truncate" title={name}>
            {name}
          </span>
        </li>
      ))}
    </ul>
  );
}
