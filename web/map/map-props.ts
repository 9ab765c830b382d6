import type { ReactNode } from 'react';
import type { LocationRef, Point } from '../../domain/location.ts';
import type { MapBox, MapDepot, MapGroup, MapIncident, MapPlace, MapRoute, MapVan, MapView } from './map-data.ts';

export type LocationMapProps = {
  /** Accessible name. */
  label: string;
  places: readonly MapPlace[];
  /** Locations that are too many to draw each: counted marks that are zoomed into. */
  groups?: readonly MapGroup[];
  routes?: readonly MapRoute[];
  depots?: readonly MapDepot[];
  vans?: readonly MapVan[];
  incidents?: readonly MapIncident[];
  onIncident?: (id: number) => void;
  own?: Point | null;
  /** Keys of selected locations. */
  selected?: ReadonlySet<string>;
  onSelect?: (ref: LocationRef) => void;
  /** A click on the ground, where no marker is. */
  onPick?: (point: Point) => void;
  /** What stands in the info window under name and address. */
  actions?: (place: MapPlace) => ReactNode;
  /** Together: where to look. Absent: everything shown, at most at `maxZoom`, again whenever `fitKey` changes. */
  center?: Point | undefined;
  zoom?: number | undefined;
  /** What is in view beside the centre, from farther away where it has to be. */
  around?: MapBox | undefined;
  fitKey?: string;
  maxZoom?: number;
  /** Around everything there is, where `places` and `groups` hold only what is in view. */
  extent?: MapBox | null;
  /** Told what is in view, at first and whenever the map has come to rest. */
  onView?: ((view: MapView) => void) | undefined;
  /** An online vector style; absent: the map that is built in. */
  styleUrl?: string | null;
  minHeight?: number;
  caption?: string;
  /** A button or note in the lower left corner. */
  corner?: ReactNode;
};
