import { z } from 'zod';

/** The sales systems an operator may connect. */
export const integrationSystem = z.enum(['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi']);
