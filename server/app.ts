import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../domain/errors.ts';
import { alertEndpoints } from './alerts/endpoints.ts';
import { mountArchive } from './archive/endpoint.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { recogniser } from './auth/service.ts';
import { dashboardEndpoints } from './dashboard/endpoints.ts';
import { dayEndEndpoints } from './day-ends/endpoints.ts';
import { dayPlanEndpoints } from './day-plans/endpoints.ts';
import { demoEndpoints } from './demo/endpoints.ts';
import type { Deps } from './deps.ts';
import { fleetEndpoints } from './fleet/endpoints.ts';
import { replyWithError } from './http/error-reply.ts';
import { refuseForeignWrites } from './http/guard.ts';
import { type Handled, mount } from './http/handle.ts';
import { mountHealth } from './http/health.ts';
import { mountOpenApi } from './http/openapi.ts';
import { inlineScriptHashes, mountWeb } from './http/web-files.ts';
import { incidentEndpoints } from './incidents/endpoints.ts';
import { integrationEndpoints } from './integrations/endpoints.ts';
import { inventoryEndpoints } from './inventory/endpoints.ts';
import { mountLiveStream } from './live/endpoint.ts';
import { locationEndpoints } from './locations/endpoints.ts';
import { machineEndpoints } from './machines/endpoints.ts';
import { marketEndpoints } from './markets/endpoints.ts';
import { needEndpoints } from './need/endpoints.ts';
import { productEndpoints } from './products/endpoints.ts';
import { reportEndpoints } from './reports/endpoints.ts';
import { mountTiles, roadEndpoints } from './roads/endpoints.ts';
import { routePlanningEndpoints } from './route-planning/endpoints.ts';
import { syncEndpoints } from './sync/endpoints.ts';
import { mountUploads } from './uploads/bytes.ts';
import { uploadEndpoints } from './uploads/endpoints.ts';
import { visitEndpoints } from './visits/endpoints.ts';
import { mountPhotos } from './visits/photos.ts';

const bodyLimitBytes = 1_000_000;

/** Every feature's endpoints, registered here by hand. */
export function handledEndpoints(deps: Deps): Handled[] {
  return [
    ...authEndpoints(deps),
    ...marketEndpoints(deps),
    ...machineEndpoints(deps),
    ...locationEndpoints(deps),
    ...incidentEndpoints(deps),
    ...inventoryEndpoints(deps),
    ...integrationEndpoints(deps),
    ...productEndpoints(deps),
    ...alertEndpoints(deps),
    ...dashboardEndpoints(deps),
    ...demoEndpoints(deps),
    ...needEndpoints(deps),
    ...routePlanningEndpoints(deps),
    ...roadEndpoints(deps),
    ...dayPlanEndpoints(deps),
    ...dayEndEndpoints(deps),
    ...reportEndpoints(deps),
    ...fleetEndpoints(deps),
    ...syncEndpoints(deps),
    ...visitEndpoints(deps),
    ...uploadEndpoints(deps),
  ];
}

/** The HTTP application over its dependencies; the caller listens and closes. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: deps.log,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    trustProxy: deps.env.trustProxy ?? false,
    routerOptions: { maxParamLength: 200 },
    // On close, what is under way is finished; only idle connections are cut.
    forceCloseConnections: 'idle',
    // What the router refuses before any route, e.g. a path that does not decode.
    frameworkErrors: replyWithError,
  });
  app.setErrorHandler(replyWithError);
  await app.register(cookie);
  // Files are compressed at build time; lists are here. The event stream is written past it.
  await app.register(compress, { threshold: 2_048, encodings: ['gzip'], zlibOptions: { level: 4 } });
  await app.register(helmet, securityHeaders(deps));
  app.addHook('onRequest', async (request) => refuseForeignWrites(request, deps.env.publicUrl));
  const handled = handledEndpoints(deps);
  const recognise = recogniser(deps);
  mount(app, handled, recognise);
  mountLiveStream(app, deps, recognise);
  mountTiles(app, deps, recognise);
  mountArchive(app, deps, recognise);
  await mountPhotos(app, deps, recognise);
  await mountUploads(app, deps, recognise);
  mountHealth(app, deps);
  mountOpenApi(app, handled);
  await mountWeb(app);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) throw new AppError('not-found', 'There is no such call. See /api/docs.');
    // A file of an older release must not be answered with a page, which would be kept under its name.
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/assets/');
    if (!isPage) throw new AppError('not-found', 'There is nothing at this address.');
    return reply.sendFile('index.html');
  });
  return app;
}

function securityHeaders(deps: Deps) {
  const style = deps.env.mapStyleUrl ? [new URL(deps.env.mapStyleUrl).origin] : [];
  const secure = deps.env.publicUrl?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScriptHashes()],
        workerSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...style],
        connectSrc: ["'self'", ...style],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}
