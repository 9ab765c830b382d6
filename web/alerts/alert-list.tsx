import { useOpenAlerts } from './api.ts';

type Filter = { machine?: number; state?: 'all' | 'open' };

export function AlertList({ filter }: { filter: Filter }) {
  const alerts = useOpenAlerts({});
  const own = (alerts.data ?? []).filter((alert) => !filter.machine || alert.machineId === filter.machine);
  return (
    <ul>
      {own.map((alert) => (
        <li key={alert.id}>{alert.message}</li>
      ))}
    </ul>
  );
}
