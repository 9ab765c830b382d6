import type { Visit } from '../../contract/visits.ts';
import type { LocationRef } from '../../domain/location.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { loadVisits } from './api.ts';
import { spoiledWords, totalsOf } from './totals.ts';

/** Every visit of a location, a line each, as a file has them; JSON has the products of each besides. */
export const visitsToExport = (place: LocationRef): Exported<Visit> => ({
  name: `visits-of-${place.type === 'market' ? 'market' : 'machine'}-${place.id}`,
  one: 'visit',
  many: 'visits',
  load: (page) => loadVisits(place, page),
  columns: [
    { header: 'Opened', value: (visit) => visit.openedAt },
    { header: 'Closed', value: (visit) => visit.closedAt },
    { header: 'Minutes', value: (visit) => visit.minutes },
    { header: 'Person', value: (visit) => visit.personName },
    { header: 'Products', value: (visit) => visit.lines.length },
    { header: 'Found', value: (visit) => totalsOf(visit.lines).beginning },
    { header: 'Added', value: (visit) => totalsOf(visit.lines).adds },
    { header: 'Removed', value: (visit) => totalsOf(visit.lines).removed },
    { header: 'Spoiled', value: (visit) => totalsOf(visit.lines).spoiled },
    { header: 'Spoiled why', value: (visit) => spoiledWords(visit.lines) },
    { header: 'Left', value: (visit) => totalsOf(visit.lines).ending },
    { header: 'Cash bag', value: (visit) => visit.bagNumber },
    { header: 'Refunds', value: (visit) => visit.refunds },
    { header: 'Note', value: (visit) => visit.note },
    { header: 'Photos', value: (visit) => visit.photos.length },
    { header: 'Latitude', value: (visit) => visit.latitude },
    { header: 'Longitude', value: (visit) => visit.longitude },
  ],
});
