import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { empty } from './shapes.ts';

export const firstStep = z.enum(['depot', 'locations', 'products', 'stock', 'people', 'sales', 'route']);
export type FirstStep = z.output<typeof firstStep>;

export const getFirstSteps = endpoint({
  method: 'GET',
  path: '/api/first-steps',
  summary: 'What a new operator has set up and what comes next; null once all is done, put away, or in a demo',
  needs: 'office:write',
  reply: z.object({
    steps: z
      .array(z.object({ step: firstStep, count: z.int().meta({ description: '0: still to be done' }) }))
      .nullable(),
  }),
});

export const hideFirstSteps = endpoint({
  method: 'POST',
  path: '/api/first-steps/hide',
  summary: 'Put the list of first steps away, for everybody',
  needs: 'settings:manage',
  reply: empty,
});
