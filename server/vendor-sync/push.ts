import type { SyncCounts } from '../../contract/integration-runs.ts';
import type { Db } from '../db/database.ts';
import { type ConfigRow, noteProblem, tell, updateConfigFields } from '../integrations/service.ts';
import { insertRun, updateRun } from './queries.ts';

type Push = { jobType: string; counts: SyncCounts; errors: readonly string[]; at: Date };

/** Most sentences kept of what a push could not give us. */
const mostErrors = 200;

/** Lists what a partner pushed, which is over already, among the sync runs of its configuration. */
export async function recordPush(tx: Db, config: ConfigRow, { jobType, counts, errors, at }: Push): Promise<void> {
  const { id } = await insertRun(tx, {
    configId: config.id,
    system: config.system,
    jobType: jobType.slice(0, 30),
    cause: 'push',
    resources: [],
    createdAt: at,
  });
  await updateRun(tx, id, {
    status: 'succeeded',
    startedAt: at,
    completedAt: at,
    recordsProcessed: counts.processed,
    progress: { resource: null, pages: 1, records: counts.processed, counts },
    errorCount: errors.length,
    errorDetails: errors.slice(0, mostErrors),
    lastSyncAt: at,
  });
  await updateConfigFields(tx, config.id, { lastSyncAt: at });
  await noteProblem(tx, config.id, null, at);
  await tell(tx, config.id);
}
