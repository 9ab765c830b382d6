import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { takeIn } from './intake.ts';
import { processSoon } from './worker.ts';

const usualBytes = 1_000_000;
/** Report files come as messages too. */
const mostBytes = 10_000_000;

const address = z.object({
  system: z.string().max(20),
  publicId: z.string().regex(/^[0-9a-f]{32}$/),
  '*': z.string().max(500).default(''),
});

/**
 * Where partners send their messages. Beside the contract, because each partner's shape is its own: bytes of any kind come
 * in, and the connector decides over them as they are.
 */
export async function mountWebhooks(app: FastifyInstance, deps: Deps): Promise<void> {
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const take = (request: FastifyRequest, reply: FastifyReply) => answer(deps, request, reply);
    for (const url of ['/api/webhooks/:system/:publicId', '/api/webhooks/:system/:publicId/*']) {
      room.route({ method: ['GET', 'POST'], url, bodyLimit: mostBytes, handler: take });
    }
  });
}

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const params = address.safeParse(request.params);
  if (!params.success) throw new AppError('not-found', 'There is nothing at this address.');
  const { system, publicId, '*': path } = params.data;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const connector = deps.connectors.find((one) => one.manifest.system === system);
  if (body.length > usualBytes && !connector?.webhook?.takesFiles) {
    throw new AppError('too-large', 'A message may have at most 1 MB.');
  }
  await takeIn(
    deps,
    { system, publicId },
    {
      method: request.method,
      path,
      query: queryOf(request.url),
      headers: headersOf(request),
      body: new Uint8Array(body),
    },
  );
  processSoon(deps);
  return reply.status(200).header('cache-control', 'no-store').send();
}

/** Names and values in the order sent, which some signatures depend on. */
function queryOf(url: string): [string, string][] {
  const at = url.indexOf('?');
  return at < 0 ? [] : [...new URLSearchParams(url.slice(at + 1))];
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
