import type { FastifyInstance, FastifyRequest } from 'fastify';
import { writeFault } from '../../connectors/nama-vdi/envelope.ts';
import { wsdl } from '../../connectors/nama-vdi/wsdl.ts';
import { maxXmlBytes } from '../../connectors/nama-vdi/xml.ts';
import { AppError } from '../../domain/errors.ts';
import { countUse, network } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import { exchange, findSender, type Sender } from './service.ts';

const xml = 'text/xml; charset=utf-8';
const hourMs = 3_600_000;
/** Failed sign-ins of one address; the right one is never kept out by them. */
const failuresPerHour = 60;
/** Documents of one address. */
const callsPerMinute = 600;

/** The SOAP service that partners send to: bytes in and XML out, so it stands beside the contract. */
export async function mountVdi(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (room) => mountIn(room, deps));
}

function mountIn(app: FastifyInstance, deps: Deps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  // A sender that gets no SOAP answer cannot tell a refusal from a broken line.
  app.setErrorHandler((error, request, reply) => {
    const isOurs = error instanceof AppError;
    const tooLarge = hasCode(error, 'FST_ERR_CTP_BODY_TOO_LARGE');
    if (!isOurs && !tooLarge) request.log.error({ err: error }, 'a VDI call failed');
    const sentence = tooLarge ? `The message is larger than ${maxXmlBytes / 1_000_000} MB.` : ourSentence(error);
    if (hasCode(error, 'too-many-requests')) reply.header('retry-after', '60').status(429);
    else if (hasCode(error, 'not-signed-in')) reply.header('www-authenticate', 'Basic realm="VDI"').status(401);
    else reply.status(hasCode(error, 'not-found') ? 404 : 500);
    return reply.type(xml).send(writeFault(isOurs || tooLarge ? 'Client' : 'Server', sentence));
  });
  app.get('/vdi', async (request, reply) => {
    const asksForIt = Object.keys(Object(request.query)).some((name) => name.toLowerCase() === 'wsdl');
    if (!asksForIt) throw new AppError('not-found', 'This is a SOAP service: its description is at /vdi?wsdl.');
    return reply.type(xml).send(wsdl(`${deps.env.publicUrl ?? `${request.protocol}://${request.host}`}/vdi`));
  });
  const senders = new WeakMap<FastifyRequest, Sender>();
  // Before a byte of the document is taken in.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    senders.set(request, await signedIn(deps, request));
  };
  app.post<{ Body: unknown }>('/vdi', { bodyLimit: 2 * maxXmlBytes, onRequest }, async (request, reply) => {
    const sender = senders.get(request);
    if (!sender) throw notSignedIn();
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const answer = await exchange(deps, sender, body);
    // A fault here is the sender's: what fails on our side is thrown.
    if (answer.status >= 500) deps.watch.failedElsewhere.add(request);
    return reply.status(answer.status).type(xml).send(answer.body);
  });
}

async function signedIn(deps: Deps, request: FastifyRequest): Promise<Sender> {
  await limit(deps, request, { what: 'calls', max: callsPerMinute, windowMs: 60_000 });
  const sender = await findSender(deps, request.headers.authorization);
  if (sender) return sender;
  await limit(deps, request, { what: 'failures', max: failuresPerHour, windowMs: hourMs });
  throw notSignedIn();
}

const notSignedIn = (): AppError =>
  new AppError('not-signed-in', 'The sign-in is not the one of any VDI configuration.');

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const ourSentence = (error: unknown): string =>
  error instanceof AppError ? error.message : 'The server could not take the document now. Send it again.';

async function limit(
  deps: Deps,
  request: FastifyRequest,
  { what, max, windowMs }: { what: string; max: number; windowMs: number },
): Promise<void> {
  const key = `vdi:${what}:${network(request.ip)}`;
  await countUse(deps.db, [{ key, max, windowMs }], { at: deps.clock.now(), noun: 'VDI calls' });
}
