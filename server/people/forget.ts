import type { Db } from '../db/database.ts';
import { updateUser } from './queries.ts';

/** What stands in place of a person who was forgotten; their counts and visits stay with it. */
const formerName = (id: number) => ({ firstName: 'Former', lastName: `user ${id}` });

/** Takes name, addresses and picture of a person away for good; the id stays, so that what they counted still adds up. */
export async function anonymise(db: Db, id: number): Promise<void> {
  await updateUser(db, id, {
    ...formerName(id),
    // Reserved by RFC 2606: nothing is ever delivered there.
    email: `former-user-${id}@forgotten.invalid`,
    phoneNumber: null,
    phoneConfirmedAt: null,
    profileImageUrl: null,
    isActive: false,
  });
}
