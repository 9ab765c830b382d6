import { memo, useState } from 'react';
import type { Incident } from '../../contract/incidents.ts';
import { useMay } from '../auth/api.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useIncidents, useResolveIncident } from './api.ts';
import { IncidentRow } from './incident-row.tsx';

const IncidentForm = lateDialog('Traffic incident', async () => (await import('./incident-form.tsx')).IncidentForm);
const ImportDialog = lateDialog('Import incidents', async () => (await import('./import-dialog.tsx')).ImportDialog);
const FactorsDialog = lateDialog('Factors', async () => (await import('./factors-dialog.tsx')).FactorsDialog);

type Status = Incident['status'];
type Opened = { kind: 'new' } | { kind: 'edit'; id: number } | { kind: 'import' } | { kind: 'factors' } | null;

/** Traffic incidents as a list, for everyone; with what a manager can do about them. */
export const IncidentsPanel = memo(function IncidentsPanel() {
  const list = useIncidents();
  const mayWrite = useMay('office:write');
  const maySet = useMay('settings:manage');
  const [status, setStatus] = useState<Status>('active');
  const [opened, setOpened] = useState<Opened>(null);
  const shown = list.data?.filter((incident) => incident.status === status);
  const active = list.data?.filter((incident) => incident.status === 'active').length;
  return (
    <Card
      title="Traffic incidents"
      {...(active === undefined ? {} : { count: active })}
      actions={
        <>
          <Segmented label="Show" options={statuses} value={status} onChange={setStatus} />
          {maySet && (
            <Button variant="quiet" onClick={() => setOpened({ kind: 'factors' })} className="max-lg:min-h-12">
              Factors
            </Button>
          )}
          {mayWrite && (
            <>
              <Button onClick={() => setOpened({ kind: 'import' })} className="max-lg:min-h-12">
                Import
              </Button>
              <Button icon="plus" onClick={() => setOpened({ kind: 'new' })} className="max-lg:min-h-12">
                Report
              </Button>
            </>
          )}
        </>
      }
    >
      {list.error && !list.data && (
        <FailedView error={list.error} retry={() => void list.refetch()} title="Incidents did not load" />
      )}
      {list.isPending && <SkeletonRows rows={3} className="h-7" />}
      {shown?.length === 0 && <Nothing status={status} mayWrite={mayWrite} />}
      {shown && shown.length > 0 && (
        <IncidentList incidents={shown} mayWrite={mayWrite} onEdit={(id) => setOpened({ kind: 'edit', id })} />
      )}
      <Opened opened={opened} incidents={list.data ?? []} onClose={() => setOpened(null)} />
    </Card>
  );
});

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'resolved', label: 'Resolved' },
] as const;

type ListProps = { incidents: readonly Incident[]; mayWrite: boolean; onEdit: (id: number) => void };

function IncidentList({ incidents, mayWrite, onEdit }: ListProps) {
  const { resolve, reopen } = useResolveIncident();
  const now = new Date();
  return (
    <ul className="max-h-96 overflow-y-auto">
      {incidents.map((incident) => (
        <IncidentRow
          key={incident.id}
          incident={incident}
          now={now}
          mayWrite={mayWrite}
          busy={resolve.isPending || reopen.isPending}
          onEdit={() => onEdit(incident.id)}
          onResolve={() => resolve.mutate(incident.id)}
          onReopen={() => reopen.mutate(incident.id)}
        />
      ))}
    </ul>
  );
}

function Nothing({ status, mayWrite }: { status: Status; mayWrite: boolean }) {
  if (status === 'resolved') return <StateView icon="check" title="None resolved in the past 30 days" />;
  const text = mayWrite ? 'Report one here: routes near it are timed anew.' : 'The roads are clear as far as is known.';
  return <StateView icon="check" title="No active incidents" text={text} />;
}

function Opened({
  opened,
  incidents,
  onClose,
}: {
  opened: Opened;
  incidents: readonly Incident[];
  onClose: () => void;
}) {
  if (opened?.kind === 'import') return <ImportDialog onClose={onClose} />;
  if (opened?.kind === 'factors') return <FactorsDialog onClose={onClose} />;
  if (opened?.kind === 'new') return <IncidentForm incident={null} onClose={onClose} />;
  const incident = opened?.kind === 'edit' ? incidents.find(({ id }) => id === opened.id) : undefined;
  return incident ? <IncidentForm key={incident.id} incident={incident} onClose={onClose} /> : null;
}
