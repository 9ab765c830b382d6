import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../domain/errors.ts';
import type { Deps } from '../../deps.ts';

/** /metrics in Prometheus' text form, for this machine and for whoever has the token of METRICS_TOKEN. */
export function mountMetrics(app: FastifyInstance, deps: Deps): void {
  const { registry } = deps.watch;
  registry.gauge('milkrun_event_streams', 'Open streams of server-sent events', () => deps.live.size());
  registry.gauge('milkrun_database_connections', 'Connections of the pool by state', () => {
    const { total, idle, waiting } = deps.database.connections();
    return [
      [{ state: 'used' }, total - idle],
      [{ state: 'idle' }, idle],
      [{ state: 'waited_for' }, waiting],
    ];
  });
  registry.gauge('milkrun_database_away', '1 while the database does not answer', () => Number(deps.database.isAway()));
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, deps.env.metricsToken)) {
      throw new AppError('not-allowed', 'Metrics are for this machine, or for a caller with the token.');
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await registry.text());
  });
}

function mayRead({ socket, headers }: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (token && given) return isSame(given, token);
  // A proxy on this machine speaks for somebody else.
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? '');
}

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
