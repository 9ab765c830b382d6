import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const getSandbox = endpoint({
  method: 'GET',
  path: '/api/demo/sandbox',
  summary: 'The partner systems’ stand-ins beside a demo, and what to enter to connect each; nothing outside a demo',
  needs: 'office:read',
  reply: z.object({
    url: z.string().nullable(),
    credentials: z
      .record(z.string(), z.record(z.string(), z.string()))
      .meta({ description: 'By system and name of the field' }),
  }),
});
