import { z } from 'zod';
import { integrationSystem } from '../domain/integration.ts';
import { endpoint } from './endpoint.ts';

export const integrationState = z
  .object({
    system: integrationSystem,
    configurations: z.int(),
    state: z.enum(['connected', 'not-connected', 'failing']),
    /** What is wrong and what to do; null while nothing is. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'IntegrationState' });
export type IntegrationState = z.output<typeof integrationState>;

export const listIntegrations = endpoint({
  method: 'GET',
  path: '/api/integrations',
  summary: 'The connected systems and the state of each; a system without a configuration is not connected',
  needs: 'stock:read',
  reply: z.array(integrationState),
});
