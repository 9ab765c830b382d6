import { z } from 'zod';
import { powers, roles } from './permissions.ts';

// Beside the rules and not among them: the first screen needs those, and not the schema library.
export const role = z.enum(roles);
export const power = z.enum(powers);
