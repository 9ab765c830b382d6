import { z } from 'zod';
import { requiredText, text } from './market.ts';
import { role } from './role-schemas.ts';

/** What a person is typed as in the office; empty texts mean none. */
export const typedPerson = z.object({
  email: z.string().trim().max(255).pipe(z.email('Enter an e-mail address such as name@company.com')),
  firstName: requiredText(100, 'First name'),
  lastName: text(100, 'Last name'),
  phoneNumber: text(30, 'Phone number').transform((typed) => typed || null),
  role,
  routeDesignation: text(20, 'Route designation').transform((typed) => typed || null),
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
