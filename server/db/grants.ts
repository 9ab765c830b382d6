import pg from 'pg';

/** Tables that the application's role may add to and read, never change. */
const appendOnly = 'stock_movements, event_keys, audit_log, audit_chain, audit_checkpoints';

/** The application's role may append to ledger and audit, never change them, and makes no tables. */
export async function grantToApplication(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const grants = [
    keepOwnRights,
    `grant usage on schema public, drizzle to ${name}`,
    `grant select, insert, update, delete on all tables in schema public to ${name}`,
    `grant select on all tables in schema drizzle to ${name}`,
    `grant usage, select, update on all sequences in schema public to ${name}`,
  ];
  const revokes = [
    `revoke update, delete, truncate on ${appendOnly} from ${name}`,
    // Only the purge itself, which keeps the two years, says where the log begins.
    `revoke insert on audit_checkpoints from ${name}`,
    // Partitions take no statement of their own from the application: rights of the parent decide.
    `do $$ declare part regclass; begin
       for part in select inhrelid::regclass from pg_inherits where inhparent = 'stock_movements'::regclass loop
         execute format('revoke all on %s from %I', part, ${client.escapeLiteral(role)});
       end loop;
     end $$`,
  ];
  // As one: between grant and revoke the role may change nothing either.
  await client.query('begin');
  try {
    // The functions that purge and drop old months work with the rights of whoever made the tables.
    const statements = (await ownsTables(client, role)) ? grants : [...grants, ...revokes];
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Without them an owner could neither purge nor dump, and nothing else would give them back. */
const keepOwnRights = `do $$ declare own regclass; begin
  for own in select oid::regclass from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_get_userbyid(relowner) = current_user
      and not has_table_privilege(oid, 'update') loop
    execute format('grant all on %s to current_user', own);
  end loop;
end $$`;

async function ownsTables(client: pg.Client, role: string): Promise<boolean> {
  const found = await client.query(
    "select from pg_class where oid = 'audit_log'::regclass and pg_get_userbyid(relowner) = $1",
    [role],
  );
  return found.rowCount === 1;
}

/** The application's role works with the job queue's tables, which the administrator's role made. */
export async function grantJobs(adminUrl: string, applicationUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const name = client.escapeIdentifier(roleOf(applicationUrl));
    await client.query('begin');
    // Two processes that grant the same at once would end each other's start.
    await client.query("select pg_advisory_xact_lock(hashtext('grant-jobs'))");
    await client.query(`grant usage on schema pgboss to ${name}`);
    await client.query(`grant select, insert, update, delete on all tables in schema pgboss to ${name}`);
    await client.query(`grant usage, select on all sequences in schema pgboss to ${name}`);
    await client.query(`grant execute on all functions in schema pgboss to ${name}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** The role that an address signs in as. */
export function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}
