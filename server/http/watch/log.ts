import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

/** What a failed query was given may be a name, a code or a secret: the statement is logged, its values are not. */
export function describeError(error: Error): { type: string; message: string; stack: string; code?: unknown } {
  const stack = error.stack ?? '';
  const frames = stack.slice(Math.max(0, stack.indexOf('\n    at ')));
  const message = withoutValues(error.message);
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined;
  return {
    type: error.name,
    message,
    stack: `${error.name}: ${message}${frames}`,
    ...('code' in error ? { code: error.code } : {}),
    ...(cause ? { cause } : {}),
  };
}

function withoutValues(message: string): string {
  return message.split('\nparams: ')[0] ?? '';
}

/** Structured logs on standard error; cookies, codes and contacts never appear in them. */
export function createLog(level: string): FastifyBaseLogger {
  return pino(
    {
      level,
      redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
      serializers: {
        err: describeError,
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
