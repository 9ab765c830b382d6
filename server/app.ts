import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { AppError } from '../domain/errors.ts';
import { accessEndpoints } from './access/endpoints.ts';
import { accountEndpoints } from './account/endpoints.ts';
import { adminEndpoints } from './admin/endpoints.ts';
import { alertEndpoints } from './alerts/endpoints.ts';
import { archiveEndpoints, mountArchive } from './archive/endpoint.ts';
import { noteDenied } from './audit/denied.ts';
import { auditEndpoints } from './audit/endpoints.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { hintPages } from './auth/page-hint.ts';
import { callerOf, recogniser, refuseSentBefore } from './auth/service.ts';
import { cantaloupeEndpoints } from './cantaloupe/endpoints.ts';
import { mountReportUpload } from './cantaloupe/report-upload.ts';
import { dashboardEndpoints } from './dashboard/endpoints.ts';
import { dayEndEndpoints } from './day-ends/endpoints.ts';
import { dayPlanEndpoints } from './day-plans/endpoints.ts';
import { demoEndpoints } from './demo/endpoints.ts';
import type { Deps } from './deps.ts';
import { deviceEndpoints } from './devices/endpoints.ts';
import { dexEndpoints } from './dex/endpoints.ts';
import { firstStepEndpoints } from './first-steps/endpoints.ts';
import { fleetEndpoints } from './fleet/endpoints.ts';
import { geocodingEndpoints } from './geocoding/endpoints.ts';
import { admitCalls } from './http/admission.ts';
import { docsPage } from './http/docs/docs-page.ts';
import { mountOpenApi } from './http/docs/openapi.ts';
import { replyToUnreadable, replyWithError } from './http/error-reply.ts';
import { noteConnections } from './http/farewell.ts';
import { refuseForeignWrites } from './http/guard.ts';
import { type Handled, mount } from './http/handle.ts';
import { tlsServer } from './http/tls.ts';
import { mountHealth } from './http/watch/health.ts';
import { mountMetrics } from './http/watch/metrics.ts';
import { watchCalls } from './http/watch/watched.ts';
import { inlineHashes, mountWeb } from './http/web-files.ts';
import { incidentEndpoints } from './incidents/endpoints.ts';
import { integrationEndpoints } from './integrations/endpoints.ts';
import { inventoryEndpoints } from './inventory/endpoints.ts';
import { lightspeedEndpoints } from './lightspeed/endpoints.ts';
import { mountLiveStream } from './live/endpoint.ts';
import { locationEndpoints } from './locations/endpoints.ts';
import { machineEndpoints } from './machines/endpoints.ts';
import { marketEndpoints } from './markets/endpoints.ts';
import { namaVdiEndpoints } from './nama-vdi/endpoints.ts';
import { nayaxMomaEndpoints } from './nayax-moma/endpoints.ts';
import { needEndpoints } from './need/endpoints.ts';
import { pastImportEndpoints } from './past-imports/endpoints.ts';
import { paymentEndpoints } from './payments/endpoints.ts';
import { mountPaymentExport } from './payments/export.ts';
import { peopleEndpoints } from './people/endpoints.ts';
import { performanceEndpoints } from './performance/endpoints.ts';
import { phoneSealEndpoints } from './phone-seals/endpoints.ts';
import { pickingEndpoints } from './picking/endpoints.ts';
import { productEndpoints } from './products/endpoints.ts';
import { mountProductPictures } from './products/pictures.ts';
import { reconciliationEndpoints } from './reconciliation/endpoints.ts';
import { reportEndpoints } from './reports/endpoints.ts';
import { mountTiles, roadEndpoints } from './roads/endpoints.ts';
import { routePlanningEndpoints } from './route-planning/endpoints.ts';
import { secondFactorEndpoints } from './second-factor/endpoints.ts';
import { syncEndpoints } from './sync/endpoints.ts';
import { syncCenterEndpoints } from './sync-center/endpoints.ts';
import { upkeep } from './upkeep.ts';
import { mountUploads } from './uploads/bytes.ts';
import { uploadEndpoints } from './uploads/endpoints.ts';
import { mountVdi } from './vdi/soap.ts';
import { vendorRecordEndpoints } from './vendor-records/endpoints.ts';
import { vendorSyncEndpoints } from './vendor-sync/endpoints.ts';
import { visitEndpoints } from './visits/endpoints.ts';
import { mountPhotos } from './visits/photos.ts';
import { webhookEndpoints } from './webhooks/endpoints.ts';
import { mountWebhooks } from './webhooks/service.ts';

const bodyLimitBytes = 1_000_000;

/** Every feature's endpoints, registered here by hand. */
export function handledEndpoints(deps: Deps): Handled[] {
  return [
    ...authEndpoints(deps),
    ...secondFactorEndpoints(deps),
    ...phoneSealEndpoints(deps),
    ...accountEndpoints(deps),
    ...deviceEndpoints(deps),
    ...peopleEndpoints(deps),
    ...accessEndpoints(deps),
    ...auditEndpoints(deps),
    ...adminEndpoints(deps),
    ...marketEndpoints(deps),
    ...machineEndpoints(deps),
    ...dexEndpoints(deps),
    ...locationEndpoints(deps),
    ...incidentEndpoints(deps),
    ...inventoryEndpoints(deps),
    ...integrationEndpoints(deps),
    ...namaVdiEndpoints(deps),
    ...nayaxMomaEndpoints(deps),
    ...vendorSyncEndpoints(deps),
    ...vendorRecordEndpoints(deps),
    ...webhookEndpoints(deps),
    ...lightspeedEndpoints(deps),
    ...syncCenterEndpoints(deps),
    ...productEndpoints(deps),
    ...alertEndpoints(deps),
    ...dashboardEndpoints(deps),
    ...demoEndpoints(deps),
    ...needEndpoints(deps),
    ...routePlanningEndpoints(deps),
    ...roadEndpoints(deps),
    ...dayPlanEndpoints(deps),
    ...dayEndEndpoints(deps),
    ...pickingEndpoints(deps),
    ...reportEndpoints(deps),
    ...pastImportEndpoints(deps),
    ...paymentEndpoints(deps),
    ...reconciliationEndpoints(deps),
    ...cantaloupeEndpoints(deps),
    ...firstStepEndpoints(deps),
    ...geocodingEndpoints(deps),
    ...fleetEndpoints(deps),
    ...archiveEndpoints(deps),
    ...syncEndpoints(deps),
    ...visitEndpoints(deps),
    ...uploadEndpoints(deps),
    ...performanceEndpoints(deps, upkeep),
  ];
}

/** The HTTP application over its dependencies; the caller listens and closes. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { tls } = deps.env;
  const secure = securing(deps);
  const app = fastify<Server>({
    ...(tls ? { serverFactory: (handler) => tlsServer(tls, deps.log, handler) } : {}),
    loggerInstance: deps.log,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    trustProxy: deps.env.trustProxy ?? false,
    routerOptions: { maxParamLength: 200 },
    // On close, what is under way is finished; only idle connections are cut.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: replyToUnreadable,
    // What the router refuses before any route, e.g. a path that does not decode.
    frameworkErrors: (error, request, reply) => {
      secure(request, reply);
      replyWithError(error, request, reply);
    },
  });
  takeEmptyBodies(app);
  app.setErrorHandler(replyWithError);
  noteConnections(app);
  watchCalls(app, deps.watch);
  admitCalls(app, deps);
  await app.register(cookie);
  // Files are compressed at build time; lists are here. The event stream is written past it.
  await app.register(compress, { threshold: 2_048, encodings: ['gzip'], zlibOptions: { level: 4 } });
  app.addHook('onRequest', (request, reply, next) => {
    secure(request, reply);
    next();
  });
  app.addHook('onRequest', async (request) => refuseForeignWrites(request, deps.env.publicUrl));
  hintPages(app, deps.env.publicUrl);
  noteDenied(app, deps, callerOf);
  const handled = handledEndpoints(deps);
  const recognise = recogniser(deps);
  mount(app, handled, {
    recognise,
    refuseSentBefore: (caller, key) => refuseSentBefore(deps.db, caller, key, deps.clock.now()),
  });
  mountLiveStream(app, deps, recognise);
  mountTiles(app, deps, recognise);
  mountArchive(app, deps, recognise);
  mountPaymentExport(app, deps, recognise);
  await mountPhotos(app, deps, recognise);
  await mountProductPictures(app, deps, recognise);
  await mountUploads(app, deps, recognise);
  await mountWebhooks(app, deps);
  await mountReportUpload(app, deps, recognise);
  await mountVdi(app, deps);
  mountHealth(app, deps);
  mountMetrics(app, deps);
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

/** Sets the security headers of a reply; they are put together once, not for every call. */
function securing(deps: Deps): (request: FastifyRequest, reply: FastifyReply) => void {
  const set = helmet(securityHeaders(deps));
  return (request, reply) =>
    set(request.raw, reply.raw, (error) => {
      if (error) throw error;
    });
}

function securityHeaders(deps: Deps) {
  const style = deps.env.mapStyleUrl ? [new URL(deps.env.mapStyleUrl).origin] : [];
  const secure = deps.env.publicUrl?.startsWith('https:') ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineHashes('script')],
        workerSrc: ["'self'"],
        styleSrc: ["'self'", ...inlineHashes('style'), ...inlineHashes('style', docsPage([]))],
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

/** Many clients name JSON with every call, also with one that has nothing to send: what a call needs is asked of its body. */
function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}
