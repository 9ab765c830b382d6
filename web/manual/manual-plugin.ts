import { marked, type Token } from 'marked';
import type { Plugin } from 'vite';
import type { Block, ManualPage, Run } from './page.ts';

/** Build step: a page of `docs/manual` becomes data that the screen draws; no text is ever put in as HTML. */
export function manualPages(): Plugin {
  return {
    name: 'manual-pages',
    transform(text, id) {
      if (!/\/docs\/manual\/[a-z-]+\.md$/i.test(id)) return null;
      return { code: `export const page = ${JSON.stringify(readPage(text))};`, map: null };
    },
  };
}

/** Reads a page. Throws where it holds something that the screen cannot draw, so that no text is lost in silence. */
export function readPage(text: string): ManualPage {
  const blocks = marked.lexer(text).flatMap((token) => blockOf(token));
  const [first, ...rest] = blocks;
  if (first?.kind !== 'heading' || first.depth !== 1) throw new Error('a page of the manual begins with its title');
  return { title: first.runs.map((run) => run.text).join(''), blocks: rest };
}

function blockOf(token: Token): Block[] {
  if (token.type === 'space') return [];
  if (token.type === 'heading') return [{ kind: 'heading', depth: Number(token.depth), runs: runsOf(token.tokens) }];
  if (token.type === 'paragraph') return [{ kind: 'paragraph', runs: runsOf(token.tokens) }];
  if (token.type === 'list') {
    const items: Token[] = token.items;
    return [{ kind: 'list', ordered: Boolean(token.ordered), items: items.map((item) => itemRuns(item)) }];
  }
  if (token.type === 'table') {
    const cells = (row: { tokens: Token[] }[]): Run[][] => row.map((cell) => runsOf(cell.tokens));
    return [{ kind: 'table', head: cells(token.header), rows: token.rows.map(cells) }];
  }
  throw new Error(`the manual cannot show: ${token.raw.slice(0, 60)}`);
}

function itemRuns(item: Token): Run[] {
  const inner = 'tokens' in item ? (item.tokens ?? []) : [];
  return inner.flatMap((token) => runsOf('tokens' in token ? token.tokens : undefined));
}

function runsOf(tokens: Token[] | undefined): Run[] {
  return (tokens ?? []).map((token): Run => {
    if (token.type === 'text' || token.type === 'escape') return { kind: 'text', text: plain(token.text) };
    if (token.type === 'strong') return { kind: 'strong', text: plain(token.text) };
    if (token.type === 'codespan') return { kind: 'code', text: token.text };
    if (token.type === 'link') return { kind: 'link', text: plain(token.text), href: hrefOf(token.href) };
    throw new Error(`the manual cannot show: ${token.raw.slice(0, 60)}`);
  });
}

/** Lines are broken for whoever edits the text, not for the screen. */
const plain = (text: string): string => text.replaceAll('\n', ' ');

/** `picking.md` leads to the page of that name. */
const hrefOf = (href: string): string => href.replace(/^([a-z-]+)\.md$/, '/manual/$1');
