import { genericKinds } from './generic-faults.ts';
import type { SandboxReply, Vendor } from './vendor.ts';
import type { Sphere } from './world.ts';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --line: light-dark(#d8dade, #3a3d44);
  --soft: light-dark(#5c6370, #a3a9b5); --card: light-dark(#fff, #1d1f24); --page: light-dark(#f5f6f8, #131418) }
body { margin: 0 auto; padding: 24px 16px 48px; max-width: 1080px; background: var(--page) }
h1 { font-size: 22px; margin: 0 } h2 { font-size: 16px; margin: 0 0 8px } p { margin: 4px 0 16px; color: var(--soft) }
.cards { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)) }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px; min-width: 0 }
section.wide { margin-top: 16px } dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0 0 12px }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px }
form, .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 8px }
select, button, input { font: inherit; padding: 7px 12px; border-radius: 8px; border: 1px solid var(--line);
  background: transparent; color: inherit; min-height: 40px; max-width: 100% }
button { cursor: pointer } button:hover { border-color: currentColor } .scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 13px; white-space: nowrap }
td, th { text-align: left; padding: 5px 12px 5px 0; border-top: 1px solid var(--line) } th { color: var(--soft); border: 0 }
td.path { font-family: ui-monospace, monospace; max-width: 420px; overflow: hidden; text-overflow: ellipsis }
#say { min-height: 24px; color: var(--soft) }`;

/** Every value goes into the page as text: what a caller sent is never markup. */
const script = `
const say = (text) => { document.getElementById('say').textContent = text };
const call = async (method, path, body) => {
  const reply = await fetch('/control' + path, { method, body: body && JSON.stringify(body) });
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error);
  return value;
};
const act = (work, done) => work().then((value) => { say(typeof done === 'function' ? done(value) : done); show() })
  .catch((error) => say(error.message));
document.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  const fields = Object.fromEntries(new FormData(form));
  const { system } = form.dataset;
  if (form.className === 'fault') act(() => call('POST', '/faults', { ...fields, system, times: Number(fields.times) }),
    'Waiting: the next fitting call of ' + system + ' meets it.');
  if (form.className === 'push') act(() => call('POST', '/push', { ...fields, system }), 'Sent; see the journal.');
});
document.addEventListener('click', (event) => {
  const { what } = event.target.dataset;
  if (what === 'sell') act(() => call('POST', '/sales', { count: 20 }), (value) => value.sold.length + ' sales made just now.');
  if (what === 'clear') act(() => call('DELETE', '/faults'), 'No fault waits.');
  if (what === 'reset') act(() => call('POST', '/reset'), 'As on the first day: tokens and subscriptions are gone too.');
});
const cell = (row, text, name) => { const td = row.insertCell(); td.textContent = text; if (name) { td.className = name; td.title = text } };
const show = async () => {
  const [{ entries }, state] = await Promise.all([call('GET', '/journal'), call('GET', '/')]);
  document.getElementById('clock').textContent = new Date(state.now).toLocaleString() + (state.frozen ? ', standing still' : '');
  document.getElementById('waiting').textContent = state.waiting.length ? state.waiting.map((fault) =>
    fault.system + ': ' + fault.kind + ' at ' + fault.call + ', ' + fault.times + ' times').join('; ') : 'No fault waits.';
  const body = document.getElementById('journal');
  body.replaceChildren();
  for (const entry of entries.slice(-50).reverse()) {
    const row = body.insertRow();
    cell(row, new Date(entry.at).toLocaleTimeString());
    cell(row, entry.system);
    cell(row, entry.direction === 'in' ? 'asked' : 'sent');
    cell(row, entry.method + ' ' + entry.path + (entry.query ? '?' + entry.query : ''), 'path');
    cell(row, entry.status || 'none');
    cell(row, entry.fault || '');
  }
  if (!entries.length) cell(body.insertRow(), 'Nothing yet. Connect a system in Milkrun, and its calls appear here.');
};
show(); setInterval(show, 2000);`;

/** What a person sees at the root: what this is, what to enter where, faults by button, and the journal. */
export function firstPage(sphere: Sphere): SandboxReply {
  const { vendors } = sphere.options;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Milkrun sandbox</title><style>${style}</style>
<h1>Milkrun sandbox</h1>
<p>Stand-ins for the partner systems, to try Milkrun without an account anywhere. Nothing here is real, and nothing leaves
this machine. Its clock: <span id="clock"></span></p>
<div class="row"><button data-what="sell">Sell 20 things now</button><button data-what="clear">Clear faults</button>
<button data-what="reset">Reset</button><span id="say" role="status"></span></div>
<p id="waiting"></p>
<div class="cards">${vendors.map(card).join('')}</div>
<section class="wide"><h2>Journal</h2><div class="scroll"><table>
<thead><tr><th>At</th><th>System</th><th>Way</th><th>Call</th><th>Answer</th><th>Fault</th></tr></thead>
<tbody id="journal"></tbody></table></div></section><script>${script}</script></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body };
}

function card({ prefix, credentials = {}, calls = [], pushes = [] }: Vendor): string {
  const fields = Object.entries(credentials).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`,
  );
  const push = pushes.length
    ? `<form class="push" data-system="${escaped(prefix)}">${choice('kind', pushes)}${choice('variant', variants)}<button>Send</button></form>`
    : '';
  return `<section><h2>${escaped(prefix)}</h2><dl>${fields.join('')}</dl>
<form class="fault" data-system="${escaped(prefix)}">${choice('call', ['*', ...calls])}${choice('kind', genericKinds)}
${choice('times', ['1', '3', '10', '100'])}<button>Queue fault</button></form>${push}</section>`;
}

const variants = ['normal', 'duplicate', 'reordered', 'late', 'bad_signature', 'tampered'];

function choice(name: string, values: readonly string[]): string {
  const options = values.map((value) => `<option>${escaped(value)}</option>`);
  return `<select name="${name}" aria-label="${name}">${options.join('')}</select>`;
}
