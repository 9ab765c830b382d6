import type { LocationRef } from '../../domain/location.ts';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { useVisits } from './api.ts';
import { visitsToExport } from './export.ts';

/** Takes away every visit of a location, those not shown yet too. */
export function ExportVisits({ place }: { place: LocationRef }) {
  const total = useVisits(place).data?.pages[0]?.total;
  return <ExportButton exported={visitsToExport(place)} total={total} />;
}
