import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkExport } from '../../contract/archive.ts';
import { dayIn } from '../../domain/time.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { admitted, type Handled, handle, type Recognise } from '../http/handle.ts';
import { getOperator } from '../settings/service.ts';
import { readDiskOf } from '../watch/disk.ts';
import { writeArchiveBeside } from './beside.ts';
import { copyBytes, lastArchiveBytes, requireRoom } from './room.ts';

/** Who may sign in and how is nobody's data to carry away; a backup by the command line has it. */
const secret: ReadonlySet<string> = new Set([
  'sessions',
  'login_codes',
  'rate_limits',
  'field_devices',
  'device_holders',
  'installation',
  'demo_outbox',
  'pairing_codes',
  'second_factors',
  'recovery_codes',
  'sign_in_steps',
  'passkey_challenges',
  'lightspeed_sign_ins',
]);

/** Asked before: a browser that saves a refused download shows no word of it. */
export const archiveEndpoints = (deps: Deps): Handled[] => [
  handle(checkExport, async () => {
    await requireRoomForExport(deps);
    return {};
  }),
];

/**
 * Everything the operator ever entered, as an archive that an empty Milkrun restores. Not in the contract, because it is no
 * JSON. Written to a file first: a slow line must not hold the database.
 */
export function mountArchive(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  const underWay = new Set<Promise<unknown>>();
  const kept = <T>(work: Promise<T>): Promise<T> => {
    const ended = Promise.allSettled([work]);
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    return work;
  };
  // A process that stops leaves no half archive on the disk.
  app.addHook('onClose', async () => {
    // What ends may leave something to remove.
    while (underWay.size > 0) await Promise.all(underWay);
  });
  // Who only asks for its head does not have it made.
  app.get('/api/export/everything', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = admitted('settings:manage', await recognise(request, 'settings:manage'));
    await requireRoomForExport(deps);
    return kept(sendArchive(deps, caller, reply, kept));
  });
}

type Kept = (work: Promise<void>) => Promise<void>;

async function sendArchive(deps: Deps, caller: Caller, reply: FastifyReply, kept: Kept): Promise<FastifyReply> {
  const at = deps.clock.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'milkrun-export-'));
  const file = path.join(folder, 'everything.zip');
  // Whoever closes the browser, and the server that stops, end the work on it.
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (reply.raw.destroyed) gone.abort();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { bytes } = await writeArchiveBeside(deps.database, { file, at, without: secret, signal: gone.signal });
    await recordAudit(deps.db, caller, { action: 'export.everything', detail: { bytes } });
    const { timeZone } = await getOperator(deps.db);
    const stream = createReadStream(file);
    void kept(once(stream, 'close').then(remove, remove));
    const name = `milkrun-${dayIn(timeZone, at)}.zip`;
    return reply
      .type('application/zip')
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(stream);
  } catch (error) {
    await remove();
    if (!gone.signal.aborted) throw error;
    // Nobody is left to be answered.
    return reply.hijack();
  }
}

/** The archive goes through the folder for temporary files, which may be on another disk than the data folder. */
async function requireRoomForExport({ database, env, watch }: Deps): Promise<void> {
  requireRoom(await readDiskOf(tmpdir())(), await lastArchiveBytes(path.join(env.dataFolder, 'backups')));
  const copied = await copyBytes(database);
  if (copied > 0) requireRoom(watch.disk.use(), copied);
}
