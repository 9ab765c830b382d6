import type { FastifyInstance } from 'fastify';
import { cookieJar } from './cookies.ts';
import { absoluteMs } from './sessions.ts';

/** Tells a page with its reply whether anybody may be signed in: see `web/offline/may-be-in.ts`. */
export function hintPages(app: FastifyInstance, publicUrl: string | null): void {
  const jar = cookieJar(publicUrl);
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.accept?.includes('text/html') && !request.url.startsWith('/api/')) {
      jar.hint(request, reply, absoluteMs);
    }
  });
}
