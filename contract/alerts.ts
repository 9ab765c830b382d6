import { z } from 'zod';
import { alertSettings, alertState, severity } from '../domain/alert-rules.ts';
import { endpoint } from './endpoint.ts';
import { addressId, id, instant, pathId, wholeNumber } from './shapes.ts';

export const alert = z
  .object({
    id,
    machineId: id,
    machineName: z.string(),
    routeDesignation: z.string().nullable(),
    alertType: z.string(),
    message: z.string(),
    severity,
    acknowledged: z.boolean(),
    acknowledgedBy: z.string().nullable(),
    acknowledgedAt: instant.nullable(),
    resolvedAt: instant.nullable(),
    resolvedBy: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Who resolved it by hand; null: the cause went by itself' }),
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

export const alertPage = endpoint({
  method: 'GET',
  path: '/api/vending-machine-alerts/page',
  summary: 'One page of alerts of machines in scope, resolved ones too, newest first',
  needs: 'stock:read',
  query: z.object({
    state: alertState.default('open'),
    severity: severity.optional(),
    type: z
      .string()
      .max(50)
      .optional()
      .meta({ description: 'A kind, or `reported`: those that machines and partners told of' }),
    route: z.string().max(20).optional(),
    machine: addressId.optional(),
    q: z.string().trim().max(100).optional(),
    sort: z
      .enum(['newest', 'gravest'])
      .default('newest')
      .meta({ description: 'The gravest first, of these the newest' }),
    cursor: addressId.optional(),
    limit: wholeNumber(1, 100).default(50),
  }),
  reply: z.object({ alerts: z.array(alert), total: z.int(), next: id.nullable() }),
});

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/api/vending-machine-alerts/:id/acknowledge',
  summary: 'Take note of an alert: who and when are kept',
  needs: 'alert:acknowledge',
  params: pathId,
  reply: alert,
});

export const resolveAlert = endpoint({
  method: 'POST',
  path: '/api/vending-machine-alerts/:id/resolve',
  summary: 'End an alert by hand: who and when are kept. The same cause raises no other until it was gone once',
  needs: 'alert:acknowledge',
  params: pathId,
  reply: alert,
});

export const reopenAlert = endpoint({
  method: 'POST',
  path: '/api/vending-machine-alerts/:id/reopen',
  summary: 'Take back that an alert was ended by hand, while its cause is still there',
  needs: 'alert:acknowledge',
  params: pathId,
  reply: alert,
});

export const alertRules = alertSettings
  .extend({ version: z.int().meta({ description: 'Rises with every change; If-Match takes it' }) })
  .meta({ id: 'AlertRules' });
export type AlertRules = z.output<typeof alertRules>;

export const getAlertRules = endpoint({
  method: 'GET',
  path: '/api/vending-machine-alerts/rules',
  summary: 'What raises alerts, how grave they are, and the daily letter',
  needs: 'office:read',
  reply: alertRules,
});

export const saveAlertRules = endpoint({
  method: 'PUT',
  path: '/api/vending-machine-alerts/rules',
  summary: 'Change what raises alerts; open alerts follow at once',
  needs: 'office:write',
  body: alertSettings,
  reply: alertRules,
});
