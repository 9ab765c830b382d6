import { existsSync } from 'node:fs';
import path from 'node:path';
import { marked, type Token } from 'marked';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import type { Block, ManualPage, Run } from './page.ts';

/** Build step: a page of `docs/manual` becomes data that the screen draws; no text is ever put in as HTML. */
export function manualPages(): Plugin {
  return {
    name: 'manual-pages',
    async transform(text, id) {
      if (!/\/docs\/manual\/[a-z-]+\.md$/i.test(id)) return null;
      return { code: await moduleOf(readPage(text), path.dirname(id)), map: null };
    },
  };
}

/** The page as a module; its pictures are files of the build, so that a changed one gets a new address. */
async function moduleOf({ title, blocks }: ManualPage, folder: string): Promise<string> {
  const imports: string[] = [];
  const parts = await Promise.all(
    blocks.map(async (block, index) => {
      if (block.kind !== 'picture') return JSON.stringify(block);
      // A new page is built once before the tour can take its picture.
      if (!existsSync(path.join(folder, block.src))) return 'null';
      const { width, height } = await sharp(path.join(folder, block.src)).metadata();
      imports.push(`import picture${index} from ${JSON.stringify(`./${block.src}?url`)};`);
      return `{...${JSON.stringify({ ...block, width, height })}, src: picture${index}}`;
    }),
  );
  return `${imports.join('\n')}\nexport const page = {title: ${JSON.stringify(title)}, blocks: [${parts.join(', ')}].filter(Boolean)};`;
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
  const picture = pictureOf(token);
  if (picture) return [picture];
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

/** A picture stands alone in its paragraph. Throws without words for those who cannot see it. */
function pictureOf(token: Token): Block | null {
  const inner: Token[] = token.type === 'paragraph' ? (token.tokens ?? []) : [];
  const [only] = inner;
  if (inner.length !== 1 || only?.type !== 'image') return null;
  if (!only.text) throw new Error(`a picture of the manual needs words: ${only.href}`);
  return { kind: 'picture', src: only.href, alt: only.text };
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
