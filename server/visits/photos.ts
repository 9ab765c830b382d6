import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../../domain/errors.ts';
import { photoHash } from '../../domain/field-event.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { drawAnew, maxPictureBytes, notAPicture, pictureTypes } from '../http/draw-picture.ts';
import { admitted, type Recognise } from '../http/handle.ts';
import { findLocations } from '../route-planning/service.ts';
import { everInScope, scopeOf } from '../scope/service.ts';
import { scanFile } from '../uploads/service.ts';
import { findMissing, findPhoto, findPhotoPlaces, insertPhoto } from './queries.ts';
import { tellOffice } from './service.ts';

const maxBytes = maxPictureBytes;
/** Longest side of what is kept. */
const maxSide = 1600;
const tooLarge = () =>
  new AppError(
    'too-large',
    `The photo is too large: at most ${maxBytes / 1_000_000} MB. Take it again with a lower resolution.`,
  );
/**
 * Photos come and go as bytes, so they are not in the contract. Stored under the hash of what was sent: sending it again
 * changes nothing, and an upload cut off is simply made again.
 */
export async function mountPhotos(app: FastifyInstance, deps: Deps, recognise: Recognise): Promise<void> {
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => mountIn(room, deps, recognise));
}

function mountIn(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.addContentTypeParser(pictureTypes, { parseAs: 'buffer', bodyLimit: maxBytes + 1 }, (_, body, done) =>
    done(null, body),
  );
  app.put<{ Params: { hash: string }; Body: unknown }>(
    '/api/photos/:hash',
    {
      bodyLimit: maxBytes + 1,
      // Before a byte of the body is taken in.
      onRequest: async (request) => {
        admitted('stock:count', await recognise(request, 'stock:count'));
        if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
      },
    },
    async (request, reply) => {
      const caller = admitted('stock:count', await recognise(request, 'stock:count'));
      const { body } = request;
      if (!Buffer.isBuffer(body) || body.length === 0) throw notAPicture();
      await keepPhoto(deps, caller, hashOf(request.params.hash), body);
      return reply.status(204).send();
    },
  );
  app.get<{ Params: { hash: string } }>('/api/photos/:hash', async (request, reply) => {
    const caller = admitted('stock:read', await recognise(request, 'stock:read'));
    const content = await readPhoto(deps, caller, hashOf(request.params.hash));
    return reply
      .type('image/jpeg')
      .header('cache-control', 'private, no-cache')
      .header('content-disposition', 'attachment')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(content);
  });
}

function hashOf(text: string): string {
  const parsed = photoHash.safeParse(text);
  if (!parsed.success) throw notFound('photo');
  return parsed.data;
}

async function keepPhoto(deps: Deps, caller: Caller, hash: string, sent: Buffer): Promise<void> {
  if (createHash('sha256').update(sent).digest('hex') !== hash)
    throw new AppError('unavailable', 'The photo arrived damaged. It is sent again by itself.');
  const [missing] = await findMissing(deps.db, [hash]);
  if (!missing) return;
  await scanFile(deps.env, sent);
  const { data, info } = await drawAnew(sent, maxSide);
  await deps.db.transaction(async (tx) => {
    await insertPhoto(tx, { hash, width: info.width, height: info.height, content: data, uploadedBy: caller.userId });
    await recordAudit(tx, caller, { action: 'photo.upload', objectType: 'photo', objectId: hash.slice(0, 50) });
    await tellOffice(tx);
  });
}

/** The photo, if the person sent it or may see a location whose visits show it. */
async function readPhoto(deps: Deps, caller: Caller, hash: string): Promise<Buffer> {
  const found = await findPhoto(deps.db, hash);
  if (!found) throw notFound('photo');
  if (found.uploadedBy !== caller.userId) {
    const places = await findPhotoPlaces(deps.db, hash);
    const scope = everInScope(await scopeOf(deps, caller));
    const visible = places.length ? await findLocations(deps.db, places, scope) : [];
    if (visible.length === 0 && caller.role === 'field_worker') throw notFound('photo');
  }
  return Buffer.from(found.content, 'base64');
}
