import { type SQL, sql } from 'drizzle-orm';

/** The name of a person of the table `users`, by its alias in a statement: the e-mail address of somebody without a name. */
export const personName = (alias: string): SQL<string> => {
  const user = sql.identifier(alias);
  return sql`coalesce(nullif(trim(concat(${user}.first_name, ' ', ${user}.last_name)), ''), ${user}.email)`;
};
