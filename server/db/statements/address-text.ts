import { type SQL, sql } from 'drizzle-orm';

/** Street, city and state of a market or machine: the same street is in many towns. What is not known is left out. */
export const addressText = (place: SQL): SQL<string> =>
  sql`concat_ws(', ', nullif(${place}.address, ''), nullif(${place}.city, ''), nullif(${place}.state, ''))`;
