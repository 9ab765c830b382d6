import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { pendingMigrations } from '../db/pending.ts';
import type { Deps } from '../deps.ts';

/** /healthz: the process lives. /readyz: database and migrations are good. */
export function mountHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async () => {
    if (await pendingMigrations.any(deps.db))
      throw new AppError('unavailable', 'The database is not migrated yet.', { retryAfterSeconds: 2 });
    return { status: 'ready', database: deps.database.kind };
  });
}
