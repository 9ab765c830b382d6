import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { maxReportBytes } from '../../contract/cantaloupe.ts';
import { fileName, pathId } from '../../contract/shapes.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { takeReport } from './service.ts';

const asked = z.object({ name: fileName });

/** Exported reports come as bytes: not in the contract. */
export async function mountReportUpload(app: FastifyInstance, deps: Deps, recognise: Recognise): Promise<void> {
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => {
    room.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    room.post<{ Body: unknown }>(
      '/api/cantaloupe/configs/:id/reports',
      {
        bodyLimit: maxReportBytes,
        // Before a byte of the body is taken in.
        onRequest: async (request) => {
          admitted('office:write', await recognise(request, 'office:write'));
        },
      },
      async (request, reply) => {
        const caller = admitted('office:write', await recognise(request, 'office:write'));
        const { id } = parseInput(pathId, request.params);
        const { name } = parseInput(asked, request.query);
        if (!(request.body instanceof Uint8Array)) throw new AppError('invalid-input', 'Send the file itself.');
        return reply.status(201).send(await takeReport(deps, caller, id, { name, body: request.body }));
      },
    );
  });
}
