import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { firstRow } from '../db/database.ts';
import type { Deps } from '../deps.ts';

/** /healthz: the process lives. /readyz: database and migrations are good. */
export function mountHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async () => {
    const found = await firstRow<{ migrations: number }>(
      deps.db,
      sql`select count(*)::int as migrations from drizzle.__drizzle_migrations`,
    );
    if (!found?.migrations)
      throw new AppError('unavailable', 'The database is not migrated yet.', { retryAfterSeconds: 2 });
    return { status: 'ready', database: deps.database.kind };
  });
}
