import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pathId } from '../../contract/shapes.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { drawAnew, maxPictureBytes, notAPicture, pictureTypes } from '../http/draw-picture.ts';
import { admitted, parseInput, type Recognise } from '../http/handle.ts';
import { publish } from '../live/hub.ts';
import { scanFile } from '../uploads/service.ts';
import { deletePicture, findPicture, findProduct, hasId, savePicture, updateProductFields } from './queries.ts';

/** Longest side of what is kept: a product is shown small. */
const maxSide = 640;

const tooLarge = () =>
  new AppError('too-large', `The picture is too large: at most ${maxPictureBytes / 1_000_000} MB. Make it smaller.`);

/** Pictures come and go as bytes, so they are not in the contract. */
export async function mountProductPictures(app: FastifyInstance, deps: Deps, recognise: Recognise): Promise<void> {
  // In a room of its own: every other call goes on refusing what is not JSON before reading it.
  await app.register(async (room) => mountIn(room, deps, recognise));
}

const path = '/api/products/:id/picture';

const idOf = (params: unknown): number => parseInput(pathId, params).id;

function mountIn(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.addContentTypeParser(pictureTypes, { parseAs: 'buffer', bodyLimit: maxPictureBytes + 1 }, (_, body, done) =>
    done(null, body),
  );
  app.put<{ Body: unknown }>(
    path,
    {
      bodyLimit: maxPictureBytes + 1,
      // Before a byte of the body is taken in.
      onRequest: async (request) => {
        admitted('office:write', await recognise(request, 'office:write'));
        if (Number(request.headers['content-length'] ?? 0) > maxPictureBytes) throw tooLarge();
      },
    },
    async (request, reply) => {
      const caller = admitted('office:write', await recognise(request, 'office:write'));
      const { body } = request;
      if (!Buffer.isBuffer(body) || body.length === 0) throw notAPicture();
      return reply.send({ picture: await keepPicture(deps, caller, idOf(request.params), body) });
    },
  );
  app.get(path, async (request, reply) => {
    admitted('stock:read', await recognise(request, 'stock:read'));
    const content = await findPicture(deps.db, idOf(request.params));
    if (!content) throw notFound('picture');
    return (
      reply
        .type('image/jpeg')
        // Another picture has another address.
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('content-disposition', 'inline; filename="product.jpg"')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(content)
    );
  });
}

async function keepPicture(deps: Deps, caller: Caller, id: number, sent: Buffer): Promise<string> {
  if (!(await findProduct(deps.db, hasId(id)))) throw notFound('product');
  await scanFile(deps.env, sent);
  const { data, info } = await drawAnew(sent, maxSide);
  const picture = createHash('sha256').update(data).digest('hex').slice(0, 16);
  const at = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await savePicture(tx, { id, content: data, by: caller.userId, at });
    await updateProductFields(tx, id, { picture, updatedAt: at });
    const detail = { width: info.width, height: info.height };
    await recordAudit(tx, caller, { action: 'product.picture', objectType: 'product', objectId: id, detail });
    await publish(tx, { topic: 'products', ids: [id] });
  });
  return picture;
}

export async function removePicture(deps: Deps, caller: Caller, id: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    if (!(await findProduct(tx, hasId(id)))) throw notFound('product');
    await deletePicture(tx, id);
    await updateProductFields(tx, id, { picture: null, updatedAt: deps.clock.now() });
    await recordAudit(tx, caller, { action: 'product.picture-remove', objectType: 'product', objectId: id });
    await publish(tx, { topic: 'products', ids: [id] });
  });
}
