import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../domain/errors.ts';
import type { Flow } from '../../watch/flow.ts';
import type { EndCall } from '../../watch/traces.ts';
import type { Watch } from '../../watch/watch.ts';

/** Streams last for hours, and maintenance as long as it takes: neither says how quick the server is. */
const lasting = ['/api/events', '/api/performance/optimize-enterprise'];
/** Files are no calls, and probes ask for nothing that takes time. */
const isCall = (url: string): boolean => (url.startsWith('/api/') && !lasting.includes(url)) || url === '/vdi';

/** Times every call by its endpoint's path, and traces it where traces are wanted. */
export function watchCalls(app: FastifyInstance, watch: Watch): void {
  const { tracer, flow, httpSeconds } = watch;
  const spans = new WeakMap<FastifyRequest, EndCall>();
  if (tracer) {
    app.addHook('onRequest', (request, _reply, next) => {
      spans.set(request, tracer.begin(request.headers, next));
    });
  }
  app.addHook('onError', async (request, _reply, error) => {
    if (isElsewhere(error)) watch.failedElsewhere.add(request);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (watch.isLeaving()) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = request.routeOptions.url ?? 'none';
    const { method } = request;
    const ms = reply.elapsedTime;
    httpSeconds.observe(ms / 1000, { method, path, status: String(reply.statusCode) });
    const failed = reply.statusCode >= 500 && !watch.failedElsewhere.has(request) ? 1 : 0;
    if (isCall(path)) flow.add(watch.turnedAway.has(request) ? { refused: 1 } : { ...answered(reply), failed });
    spans.get(request)?.(
      `${method} ${path}`,
      {
        'http.request.method': method,
        'http.route': path,
        'http.response.status_code': reply.statusCode,
        'milkrun.request_id': String(request.id),
      },
      reply.statusCode >= 500,
    );
  });
}

const answered = ({ elapsedTime }: FastifyReply): Partial<Flow> => ({ requests: 1, requestMs: elapsedTime });

/** Another's system is away, or its message is refused, which SOAP has us send as a 500: nothing is to be mended here. */
function isElsewhere(error: FastifyError): boolean {
  if (error instanceof AppError) return error.elsewhere || error.status < 500;
  return error.statusCode !== undefined && error.statusCode < 500;
}
