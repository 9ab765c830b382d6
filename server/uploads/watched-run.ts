import type { FastifyInstance } from 'fastify';
import { type ImportProgress, runImport } from '../../contract/imports.ts';
import { pathId } from '../../contract/shapes.ts';
import type { Deps } from '../deps.ts';
import { refusalOf } from '../http/error-reply.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { ownUpload, runUpload } from './service.ts';

/** Ends an import whose caller has hung up: its transaction is rolled back. */
class Cancelled extends Error {}

/**
 * An import that tells how far it is. The answer itself carries the progress, and hanging up cancels: the embedded
 * database answers no other call while an import writes, so that neither could be asked for beside it.
 */
export function mountWatchedRun(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.post('/api/imports/:id/watch', async (request, reply) => {
    const caller = admitted('office:write', await recognise(request, 'office:write'));
    const { id } = parseInput(pathId, request.params);
    const body = parseInput(runImport.body, request.body);
    await ownUpload(deps, caller, id);
    const out = reply.raw;
    const tell = (line: ImportProgress): void => {
      if (!out.destroyed) out.write(`${JSON.stringify(line)}\n`);
    };
    reply.hijack();
    out.writeHead(200, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    const watch = (far: { read: number; done: number }): void => {
      if (out.destroyed) throw new Cancelled('cancelled');
      tell(far);
    };
    try {
      tell({ result: await runUpload(deps, caller, { id, ...body, watch }) });
    } catch (error) {
      if (!(error instanceof Cancelled)) {
        const { status, code, message } = refusalOf(error, request);
        tell({ problem: { status, code, detail: message } });
      }
    } finally {
      out.end();
    }
  });
}
