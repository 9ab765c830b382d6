import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const findAddress = endpoint({
  method: 'GET',
  path: '/api/geocoding',
  summary: 'Where an address is, the likeliest first; for operators who set up an address search',
  needs: 'office:write',
  query: z.object({ address: z.string().trim().min(3, 'Enter an address').max(500, 'This address is too long') }),
  reply: z.object({
    places: z.array(z.object({ name: z.string(), latitude: z.string(), longitude: z.string() })),
  }),
});
