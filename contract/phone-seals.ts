import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** Most keys of one question: a person leaves one at each sign-out with unsent work. */
export const maxSealKeys = 200;

export const openSealKeys = endpoint({
  method: 'POST',
  path: '/api/phone-seals/keys',
  summary: 'The keys of what the person signed in left sealed on a phone; null for keys made for somebody else',
  needs: 'signed-in',
  body: z.strictObject({ names: z.array(z.string().max(200)).min(1).max(maxSealKeys) }),
  reply: z.object({ keys: z.array(z.string().nullable()) }),
});
