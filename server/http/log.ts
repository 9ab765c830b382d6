import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

/** Structured logs on standard error; cookies, codes and contacts never appear in them. */
export function createLog(level: string): FastifyBaseLogger {
  return pino(
    {
      level,
      redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
      serializers: {
        req: (request: { method: string; url: string; id: string }) => ({
          method: request.method,
          path: request.url.split('?')[0],
          id: request.id,
        }),
      },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}
