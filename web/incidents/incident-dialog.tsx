import { useState } from 'react';
import type { Incident } from '../../contract/incidents.ts';
import { useMay, useSession } from '../auth/api.ts';
import { SeverityShape } from '../map/layers/severity-shape.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useResolveIncident } from './api.ts';
import { IncidentForm } from './incident-form.tsx';
import { detailOf, severityOf, spanOf } from './wording.ts';

/** An incident that was pressed on the map: what it is, for everyone, and what a manager can do about it. */
export function IncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { operator } = useSession();
  const mayWrite = useMay('office:write');
  const [editing, setEditing] = useState(false);
  const { resolve } = useResolveIncident();
  if (editing) return <IncidentForm incident={incident} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={incident.title}
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Close
          </Button>
          {mayWrite && (
            <>
              <Button icon="edit" onClick={() => setEditing(true)} className="max-lg:min-h-12">
                Edit
              </Button>
              <Button
                pending={resolve.isPending}
                onClick={() => resolve.mutate(incident.id, { onSuccess: onClose })}
                className="max-lg:min-h-12"
              >
                Resolve
              </Button>
            </>
          )}
        </>
      }
    >
      <p className="flex items-center gap-2 font-medium">
        <SeverityShape severity={incident.severity} />
        {severityOf(incident)}
      </p>
      <p className="mt-1">{detailOf(incident, operator.distanceUnit)}</p>
      <p className="text-text-2 first-letter:uppercase">{spanOf(incident, new Date())}</p>
      {incident.description && <p className="mt-2 break-words text-text-2">{incident.description}</p>}
    </Dialog>
  );
}
