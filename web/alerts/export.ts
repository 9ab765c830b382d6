import type { Alert } from '../../contract/alerts.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { type AlertFilter, loadAlertPage } from './api.ts';

/** The alerts that the filter shows, as a file has them. */
export const alertsToExport = (filter: AlertFilter): Exported<Alert> => ({
  name: 'alerts',
  one: 'alert',
  many: 'alerts',
  load: (page) => loadAlertPage(filter, page),
  columns: [
    { header: 'Severity', value: (row) => row.severity },
    { header: 'Kind', value: (row) => row.alertType },
    { header: 'Message', value: (row) => row.message },
    { header: 'Machine', value: (row) => row.machineName },
    { header: 'Route', value: (row) => row.routeDesignation },
    { header: 'Raised', value: (row) => row.createdAt },
    { header: 'Acknowledged', value: (row) => row.acknowledgedAt },
    { header: 'Acknowledged by', value: (row) => row.acknowledgedBy },
    { header: 'Resolved', value: (row) => row.resolvedAt },
    { header: 'Resolved by', value: (row) => row.resolvedBy ?? null },
  ],
});
