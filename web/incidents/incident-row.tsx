import type { Incident } from '../../contract/incidents.ts';
import { useSession } from '../auth/api.ts';
import { SeverityShape } from '../map/layers/severity-shape.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { detailOf, severityOf, spanOf } from './wording.ts';

type Props = {
  incident: Incident;
  now: Date;
  mayWrite: boolean;
  busy: boolean;
  onEdit: () => void;
  onResolve: () => void;
  onReopen: () => void;
};

/** One incident: how bad, what, where to and until when, and what can be done about it. */
export function IncidentRow({ incident, now, mayWrite, busy, onEdit, onResolve, onReopen }: Props) {
  const { operator } = useSession();
  const isActive = incident.status === 'active';
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-2 first:border-t-0">
      <SeverityShape severity={incident.severity} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="min-w-0 break-words font-medium">{incident.title}</span>
          <span className="font-medium text-12 text-text-2">{severityOf(incident)}</span>
        </p>
        <p className="text-12 text-text-2">
          {detailOf(incident, operator.distanceUnit)}; {spanOf(incident, now)}
        </p>
        {incident.description && <p className="break-words text-12 text-text-3">{incident.description}</p>}
      </div>
      {mayWrite && (
        <span className="flex flex-none gap-1">
          <IconButton
            label={`Edit ${incident.title}`}
            icon="edit"
            onClick={onEdit}
            className="max-lg:h-12 max-lg:w-12"
          />
          <Button
            disabled={busy}
            onClick={isActive ? onResolve : onReopen}
            aria-label={`${isActive ? 'Resolve' : 'Reopen'} ${incident.title}`}
            className="max-lg:min-h-12"
          >
            {isActive ? 'Resolve' : 'Reopen'}
          </Button>
        </span>
      )}
    </li>
  );
}
