import { type ReactNode, useMemo, useState } from 'react';
import { useSession } from '../auth/api.ts';
import { toLatLng } from '../http/parse.ts';
import type { MapIncident } from '../map/map-data.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { useIncidents } from './api.ts';
import { detailOf, severityOf } from './wording.ts';

const IncidentDialog = lateDialog(
  'Traffic incident',
  async () => (await import('./incident-dialog.tsx')).IncidentDialog,
);

type OnMap = {
  /** For the map: what counts now, and what a press on one does. */
  onMap: { incidents: readonly MapIncident[]; onIncident: (id: number) => void };
  /** The incident that was pressed; to be put beside the map. */
  pressed: ReactNode;
};

export function useIncidentsOnMap(): OnMap {
  const { operator } = useSession();
  const { data } = useIncidents();
  const [openId, setOpenId] = useState<number | null>(null);
  const unit = operator.distanceUnit;
  const incidents = useMemo(
    () =>
      (data ?? [])
        .filter((incident) => incident.counts)
        .map((incident) => ({
          ...toLatLng(incident),
          id: incident.id,
          title: incident.title,
          detail: detailOf(incident, unit),
          radiusKm: incident.radius,
          severity: incident.severity,
          word: severityOf(incident),
        })),
    [data, unit],
  );
  const open = data?.find(({ id }) => id === openId);
  return {
    onMap: { incidents, onIncident: setOpenId },
    pressed: open && <IncidentDialog incident={open} onClose={() => setOpenId(null)} />,
  };
}
