import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The folder of the built screens: beside the bundle, or in the tree; absent before the first build. */
function webRoot(): string | undefined {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return [path.join(here, '../web'), path.join(here, '../../dist/web')].find((folder) =>
    existsSync(path.join(folder, 'index.html')),
  );
}

/**
 * Content-security sources of what stands in a page itself: the theme is set before the first paint. Everything else
 * inline is refused.
 */
export function inlineHashes(tag: 'script' | 'style', page = builtPage()): string[] {
  const parts = page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...parts].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

function builtPage(): string {
  const root = webRoot();
  return root ? readFileSync(path.join(root, 'index.html'), 'utf8') : '';
}

/** Serves the built screens: hashed assets for ever, everything else asked for anew. Compressed at build time. */
export async function mountWeb(app: FastifyInstance): Promise<void> {
  const root = webRoot();
  if (!root) {
    app.decorateReply('sendFile', function notBuilt(this: {
      type: (t: string) => { send: (text: string) => unknown };
    }) {
      return this.type('text/plain').send('The screens are not built. Run npm start.');
    } as never);
    return;
  }
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: 'index.html',
    setHeaders: (reply, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}
