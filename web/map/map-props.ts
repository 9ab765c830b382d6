import type { ReactNode } from 'react';
import type { LocationRef, Point } from '../../domain/location.ts';
import type { MapDepot, MapIncident, MapPlace, MapRoute, MapVan } from './map-data.ts';

export type LocationMapProps = {
  /** Accessible name. */
  label: string;
  places: readonly MapPlace[];
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
  fitKey?: string;
  maxZoom?: number;
  /** An online vector style; absent: the map that is built in. */
  styleUrl?: string | null;
  minHeight?: number;
  caption?: string;
  /** A button or note in the lower left corner. */
  corner?: ReactNode;
};
