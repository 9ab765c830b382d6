import type { LocationRef } from '../../domain/location.ts';
import { AlertList } from '../alerts/alert-list.tsx';
import { ExportAlerts } from '../alerts/export-alerts.tsx';
import { Card } from '../ui/card.tsx';
import { ShortItems } from './short-items.tsx';

/** Alerts of a machine; a market, which has no machinery to raise them, lists what is short. */
export function AlertsTab({ place }: { place: LocationRef }) {
  if (place.type === 'market') return <ShortItems marketId={place.id} />;
  const filter = { machine: place.id, state: 'all' } as const;
  return (
    <Card title="Alerts" actions={<ExportAlerts filter={filter} />}>
      <AlertList ofMachine filter={filter} />
    </Card>
  );
}
