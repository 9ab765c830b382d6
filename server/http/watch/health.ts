import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../domain/errors.ts';
import { pendingMigrations } from '../../db/pending.ts';
import type { Deps } from '../../deps.ts';

/** /healthz: the process lives. /readyz: database, migrations and disk are good, and it is not stopping. */
export function mountHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async () => {
    if (deps.watch.isLeaving())
      throw new AppError('unavailable', 'This process is stopping.', { retryAfterSeconds: 2 });
    if (deps.database.isAway())
      throw new AppError('unavailable', 'The database does not answer.', { retryAfterSeconds: 2 });
    if (await pendingMigrations.any(deps.db))
      throw new AppError('unavailable', 'The database is not migrated yet.', { retryAfterSeconds: 2 });
    const disk = deps.watch.disk.state();
    if (disk === 'full') throw new AppError('no-room', 'The disk is full. Make room on it.');
    return { status: 'ready', database: deps.database.kind, disk };
  });
}
