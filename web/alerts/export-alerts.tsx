import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { type AlertFilter, useAlertPages } from './api.ts';
import { alertsToExport } from './export.ts';

/** Takes away what the list beside it shows; both read the same pages. */
export function ExportAlerts({ filter }: { filter: AlertFilter }) {
  const total = useAlertPages(filter).data?.pages[0]?.total;
  return <ExportButton exported={alertsToExport(filter)} total={total} />;
}
