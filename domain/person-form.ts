import { z } from 'zod';
import { role } from './role-schemas.ts';

/** What a person is typed as in the office; empty texts mean none. */
export const typedPerson = z.object({
  email: z.string().trim().max(255).pipe(z.email('Enter an e-mail address such as name@company.com')),
  firstName: z.string().trim().min(1, 'First name is required').max(100, 'At most 100 characters'),
  lastName: z.string().trim().max(100, 'At most 100 characters'),
  phoneNumber: z
    .string()
    .trim()
    .max(30, 'This phone number is too long')
    .transform((text) => text || null),
  role,
  routeDesignation: z
    .string()
    .trim()
    .max(20, 'A route designation has at most 20 characters')
    .transform((text) => text || null),
});

/** Day and time of day as the browser's control for both gives them, in the operator's time zone; empty means none. */
const localInstant = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?)?$/, 'Enter a date and time')
  .transform((text) => text || null);

/** An access as it is typed. */
export const typedAccess = z.object({
  permissions: z.array(z.enum(['read', 'write', 'delete'])).min(1, 'Choose at least one permission, or switch it off'),
  isActive: z.boolean(),
  expiresAt: localInstant,
  onRouteOnly: z.boolean(),
});
