import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const folder = path.join(import.meta.dirname, '../../contract');

/**
 * Build step: of the contract the browser needs methods and paths, and what the client sends or reads otherwise for, not the
 * schemas behind them, which the server checks. Every contract file becomes its endpoints' addresses and plain constants; the types stay, because the compiler
 * reads the real files. This keeps the schema library out of the first screen.
 */
export function contractAddresses(): Plugin {
  return {
    name: 'contract-addresses',
    enforce: 'pre',
    load: (id) => {
      const file = id.split('?')[0] ?? id;
      return path.dirname(file) === folder ? addressesOf(file) : null;
    },
  };
}

async function addressesOf(file: string): Promise<string> {
  const bundle = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  const code = bundle.outputFiles[0]?.text ?? '';
  const module: Record<string, unknown> = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  );
  return Object.entries(module)
    .flatMap(([name, value]) => {
      const plain = plainOf(value);
      return plain === undefined ? [] : [`export const ${name} = ${JSON.stringify(plain)};`];
    })
    .join('\n');
}

function plainOf(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'string' || Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null || !('method' in value) || !('path' in value)) return undefined;
  const { method, path, once, needs } = value as Record<string, unknown>;
  return { method, path, once, needs: needs === 'public' ? needs : undefined };
}

/**
 * Build step: a schema of the domain that a chunk does not use is left out of it, and with the last one the schema
 * library. Bundlers must keep a call whose result nobody reads, because it might do something; building a schema does
 * nothing, which is said here by wrapping it into a function marked as pure.
 */
export function pureSchemas(): Plugin {
  return {
    name: 'pure-schemas',
    enforce: 'post',
    transform(code, id) {
      const file = id.split('?')[0] ?? id;
      if (path.basename(path.dirname(file)) !== 'domain' || !code.includes('zod')) return null;
      const marks = this.parse(code).body.flatMap((statement) => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type !== 'VariableDeclaration') return [];
        return declaration.declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []));
      });
      const wrapped = marks.reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
        code,
      );
      return { code: wrapped, map: null };
    },
  };
}
