import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const list = path.join(import.meta.dirname, '../screens.tsx');
const place = '{/* code of each screen */}';

/**
 * Build step: tells the page's first script which files hold the code of the screen asked for, so that they come along with the
 * app's own instead of after it. Reads the paths from the list of screens.
 */
export function screenCode(): Plugin {
  return {
    name: 'screen-code',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === 'chunk');
        const filesOf = (source: string): string[] => {
          const chunk = chunks.find((one) => one.facadeModuleId?.endsWith(source));
          return chunk ? [`/${chunk.fileName}`, ...chunk.imports.map((file) => `/${file}`)] : [];
        };
        const entry = chunks.find((one) => one.isEntry);
        const early = new Set([entry?.fileName, ...(entry?.imports ?? [])].map((file) => `/${file}`));
        const files = Object.fromEntries(
          sources().map(([screen, source]) => [screen, filesOf(source).filter((file) => !early.has(file))]),
        );
        return html.replace(place, JSON.stringify(files));
      },
    },
  };
}

/** Path and source file of each screen. */
function sources(): [string, string][] {
  const text = readFileSync(list, 'utf8');
  const found = [...text.matchAll(/path: '([^']+)'[\s\S]*?import\('\.(\/[^']+)'\)/g)];
  return [
    ['/login', '/auth/login-screen.tsx'],
    ...found.map(([, screen = '', source = '']): [string, string] => [screen, source]),
  ];
}
