import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { replyWithError } from './error-reply.ts';
import { noteConnections } from './farewell.ts';
import { tlsServer } from './tls.ts';
import { mountHealth } from './watch/health.ts';
import { mountMetrics } from './watch/metrics.ts';
import { watchCalls } from './watch/watched.ts';

/** What a process with background jobs only answers: whether it lives, and how it does. */
export async function buildWorkerApp(deps: Deps): Promise<FastifyInstance> {
  const { tls } = deps.env;
  const app = fastify<Server>({
    // The token of the measurements is no less a secret here.
    ...(tls ? { serverFactory: (handler) => tlsServer(tls, deps.log, handler) } : {}),
    loggerInstance: deps.log,
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });
  app.setErrorHandler(replyWithError);
  noteConnections(app);
  watchCalls(app, deps.watch);
  mountHealth(app, deps);
  mountMetrics(app, deps);
  return app;
}
