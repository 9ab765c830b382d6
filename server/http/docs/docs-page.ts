import { z } from 'zod';
import type { Endpoint } from '../../../contract/endpoint.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);

/** A page that a person can read and search, without scripts: one section a call, shapes folded. */
export function docsPage(endpoints: readonly Endpoint[]): string {
  const sorted = [...endpoints].sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Milkrun API</title>
<style>
:root { color-scheme: light dark; --line: light-dark(#dfe5e5, #252f31); --soft: light-dark(#f5f7f7, #101617); --accent: light-dark(#0a5b60, #4db3b8); }
body { margin: 0 auto; max-width: 960px; padding: 24px; font: 14px/20px system-ui, sans-serif; background: light-dark(#fff, #0b0f10); color: light-dark(#0f1718, #eef3f3); }
h1 { font-size: 20px; } section { border: 1px solid var(--line); border-radius: 6px; padding: 12px 16px; margin: 8px 0; }
code, pre { font: 13px/18px ui-monospace, monospace; } b code { color: var(--accent); }
pre { background: var(--soft); padding: 12px; overflow: auto; border-radius: 4px; } summary { cursor: pointer; } p { margin: 4px 0; }
a { color: var(--accent); }
</style></head><body>
<h1>Milkrun API</h1>
<p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). Errors are problem documents (RFC 9457) whose <code>detail</code> is the sentence to show. Live changes come as server-sent events at <code>/api/events</code>.</p>
${sorted.map(section).join('\n')}
</body></html>`;
}

function section(one: Endpoint): string {
  const shapes = [
    ['Path', one.params],
    ['Query', one.query],
    ['Body', one.body],
    ['Reply', one.reply],
  ] as const;
  const folded = shapes.map(([title, schema]) => (schema ? fold(title, schema) : '')).join('');
  return `<section><b><code>${one.method} ${escapeHtml(one.path)}</code></b><p>${escapeHtml(one.summary)}. Needs: <code>${escapeHtml(one.needs)}</code>.</p>${folded}</section>`;
}

function fold(title: string, schema: z.ZodType): string {
  const io = title === 'Reply' ? 'output' : 'input';
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(json, null, 2))}</pre></details>`;
}
