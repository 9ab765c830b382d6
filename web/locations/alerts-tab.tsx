import type { LocationRef } from '../../domain/location.ts';
import { AlertList } from '../alerts/alert-list.tsx';
import { Card } from '../ui/card.tsx';
import { ShortItems } from './short-items.tsx';

/** Alerts of a machine; a market, which has no machinery to raise them, lists what is short. */
export function AlertsTab({ place }: { place: LocationRef }) {
  if (place.type === 'market') return <ShortItems marketId={place.id} />;
  return (
    <Card title="Alerts">
      <AlertList ofMachine filter={{ machine: place.id, state: 'all' }} />
    </Card>
  );
}
