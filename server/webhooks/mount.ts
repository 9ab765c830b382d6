import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { takeIn } from './intake.ts';
import { countDeadFromZero, processSoon } from './worker.ts';

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
  countDeadFromZero(deps);
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    const take = (request: FastifyRequest, reply: FastifyReply) => answer(deps, request, reply);
    // Before a byte of the body is taken in: anybody may send here.
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      const { system } = addressOf(request);
      refuseTooLarge(deps, system, Number(request.headers['content-length'] ?? 0));
    };
    for (const url of ['/api/webhooks/:system/:publicId', '/api/webhooks/:system/:publicId/*']) {
      room.route({ method: ['GET', 'POST'], url, bodyLimit: mostBytes, onRequest, handler: take });
    }
  });
}

function addressOf(request: FastifyRequest): z.output<typeof address> {
  const params = address.safeParse(request.params);
  if (!params.success) throw new AppError('not-found', 'There is nothing at this address.');
  return params.data;
}

/** What was not said in advance is known only when it is there. */
function refuseTooLarge(deps: Deps, system: string, bytes: number): void {
  if (bytes <= usualBytes) return;
  const connector = deps.connectors.find((one) => one.manifest.system === system);
  if (!connector?.webhook?.takesFiles) throw new AppError('too-large', 'A message may have at most 1 MB.');
  if (bytes > mostBytes) throw new AppError('too-large', 'A file may have at most 10 MB.');
}

async function answer(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { system, publicId, '*': path } = addressOf(request);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  refuseTooLarge(deps, system, body.length);
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
