import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { importKinds, maxUploadBytes } from '../../contract/imports.ts';
import { fileName, pathId } from '../../contract/shapes.ts';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { refusalsOf, tooLarge } from './files.ts';
import { ownUpload, takeUpload } from './service.ts';
import { mountWatchedRun } from './watched-run.ts';

const asked = z.object({
  name: fileName,
  kind: z.enum(importKinds, { error: `The kind must be one of ${importKinds.join(', ')}` }).optional(),
});

/** Files come as bytes, and the list of refused lines goes as a file: neither is in the contract. */
export async function mountUploads(app: FastifyInstance, deps: Deps, recognise: Recognise): Promise<void> {
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => mountIn(room, deps, recognise));
  mountWatchedRun(app, deps, recognise);
}

function mountIn(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.addContentTypeParser('application/octet-stream', (_, body, done) => done(null, body));
  app.post<{ Body: unknown }>(
    '/api/imports',
    {
      bodyLimit: maxUploadBytes + 1,
      // Before a byte of the body is taken in.
      onRequest: async (request) => {
        admitted('office:write', await recognise(request, 'office:write'));
        if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes) throw tooLarge();
      },
    },
    async (request, reply) => {
      const caller = admitted('office:write', await recognise(request, 'office:write'));
      const { name, kind = null } = parseInput(asked, request.query);
      const content = request.body instanceof Readable ? request.body : Readable.from([]);
      return reply.status(201).send(await takeUpload(deps, caller, { name, kind, content }));
    },
  );
  app.get<{ Params: { id: string } }>('/api/imports/:id/refused.csv', async (request, reply) => {
    const caller = admitted('office:write', await recognise(request, 'office:write'));
    const { id } = await ownUpload(deps, caller, parseInput(pathId, request.params).id);
    const file = refusalsOf(deps.env, id);
    await access(file).catch(() => {
      throw new AppError('not-found', 'This file was not checked yet: no line is refused.');
    });
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', 'attachment; filename="refused-lines.csv"')
      .send(createReadStream(file));
  });
}
