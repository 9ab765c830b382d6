import { Card } from '../ui/card.tsx';
import { AlertList } from './alert-list.tsx';

export function AlertsScreen() {
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <h1>Alerts</h1>
      <Card title="Alerts">
        <AlertList filter={{}} />
      </Card>
    </div>
  );
}
