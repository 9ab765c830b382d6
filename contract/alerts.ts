import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, instant, pathId } from './shapes.ts';

export const alert = z
  .object({
    id,
    machineId: id,
    machineName: z.string(),
    routeDesignation: z.string().nullable(),
    alertType: z.string(),
    message: z.string(),
    severity: z.enum(['critical', 'high', 'medium', 'low']),
    acknowledged: z.boolean(),
    acknowledgedBy: z.string().nullable(),
    acknowledgedAt: instant.nullable(),
    resolvedAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'MachineAlert' });
export type Alert = z.output<typeof alert>;

export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/vending-machine-alerts',
  summary: 'Alerts of machines in scope that are not resolved, newest first',
  needs: 'stock:read',
  query: z.object({ acknowledged: z.enum(['true', 'false']).optional() }),
  reply: z.array(alert),
});

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/vending-machine-alerts/:id/acknowledge',
  summary: 'Take note of an alert: who and when are kept',
  needs: 'alert:acknowledge',
  params: pathId,
  reply: alert,
});
