import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Largest document read, bytes. Catalogues and a day's sales of many kiosks reach 5 MB. */
export const maxXmlBytes = 8_000_000;
const maxDepth = 40;

/** A document that is refused before or while it is read. The message is a sentence for the sender. */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

export type XmlNode = {
  /** Without prefix. */
  name: string;
  namespace: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  /** All text directly within, character data included. */
  text: string;
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Only the five named and the numeric references exist without a DTD; they are decoded below, once.
  processEntities: false,
  cdataPropName: '#cdata',
  commentPropName: '#comment',
  ignoreDeclaration: true,
  ignorePiTags: true,
});

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeReference(whole: string, body: string): string {
  if (named[body]) return named[body];
  const code = body.startsWith('#x') ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
  const isCharacter = Number.isInteger(code) && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  if (!body.startsWith('#') || !isCharacter) throw new XmlError(`The document uses ${whole}, which is not defined.`);
  return String.fromCodePoint(code);
}

const decode = (text: string): string =>
  text.includes('&') ? text.replaceAll(/&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w{1,32});/g, decodeReference) : text;

/** Bytes as text: by byte order mark, else UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes.length > maxXmlBytes) throw new XmlError(`The document is larger than ${maxXmlBytes / 1_000_000} MB.`);
  const [a, b] = bytes;
  const isWide = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0;
  const isBig = a === 0xfe || a === 0;
  try {
    if (isWide) return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le', { fatal: true }).decode(bytes);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new XmlError('The document is neither UTF-8 nor UTF-16.');
  }
}

/**
 * A document without its comments and character data, in one walk. What is opened and never closed is refused here: looking
 * for its end again from each opening would take as long as the document's length squared.
 */
function withoutQuoted(text: string): string {
  const opening = /<!--|<!\[CDATA\[/g;
  let outside = '';
  let at = 0;
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const close = open[0] === '<!--' ? '-->' : ']]>';
    const end = text.indexOf(close, opening.lastIndex);
    if (end < 0) throw new XmlError('The document is not well-formed: a comment or character data has no end.');
    outside += text.slice(at, open.index);
    at = end + close.length;
    opening.lastIndex = at;
  }
  return outside + text.slice(at);
}

/**
 * Parses a document. Document type declarations are refused whatever they hold: nothing is expanded or fetched, so entity
 * bombs and external entities have nothing to work with. Throws XmlError.
 */
export function parseXml(source: string): XmlNode {
  if (source.length > maxXmlBytes) throw new XmlError(`The document is larger than ${maxXmlBytes / 1_000_000} MB.`);
  const text = source.replace(/^\ufeff/, '').trimStart();
  if (/<!(?:DOCTYPE|ENTITY)/i.test(withoutQuoted(text))) {
    throw new XmlError('Document type declarations are not accepted.');
  }
  const valid = XMLValidator.validate(text);
  if (valid !== true)
    throw new XmlError(`The document is not well-formed: line ${valid.err.line}, ${valid.err.msg.slice(0, 200)}`);
  const roots = toNodes(parseOrdered(text), {}, 0).children;
  const [root] = roots;
  if (!root || roots.length > 1) throw new XmlError('The document has no single root element.');
  return root;
}

type Ordered = Record<string, unknown>;

function parseOrdered(text: string): Ordered[] {
  try {
    // The parser's own type says any; what it returns is checked piece by piece below.
    const parsed: unknown = parser.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    throw new XmlError(
      `The document cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'malformed'}`,
    );
  }
}

type Namespaces = Readonly<Record<string, string>>;

function toNodes(items: readonly Ordered[], outer: Namespaces, depth: number): { children: XmlNode[]; text: string } {
  if (depth > maxDepth) throw new XmlError('The document is nested too deeply.');
  const children: XmlNode[] = [];
  let text = '';
  for (const item of items) {
    const tag = Object.keys(item).find((key) => key !== ':@');
    if (tag === undefined || tag === '#comment') continue;
    const content = item[tag];
    if (tag === '#text') text += decode(String(content));
    else if (tag === '#cdata') text += rawText(content);
    else if (Array.isArray(content)) children.push(toNode(tag, content, { given: item[':@'], outer, depth }));
  }
  return { children, text };
}

function rawText(content: unknown): string {
  const parts = Array.isArray(content) ? (content as Ordered[]) : [];
  return parts.map((part) => String(part['#text'] ?? '')).join('');
}

function toNode(
  tag: string,
  content: Ordered[],
  { given, outer, depth }: { given: unknown; outer: Namespaces; depth: number },
): XmlNode {
  const namespaces: Record<string, string> = { ...outer };
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    const name = key.slice(1);
    const told = decode(String(value));
    if (name === 'xmlns') namespaces[''] = told;
    else if (name.startsWith('xmlns:')) namespaces[name.slice(6)] = told;
    else attributes[localName(name)] = told;
  }
  const prefix = tag.includes(':') ? tag.slice(0, tag.indexOf(':')) : '';
  const inner = toNodes(content, namespaces, depth + 1);
  return { name: localName(tag), namespace: namespaces[prefix] ?? '', attributes, ...inner };
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The first child of a name. */
export const child = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((one) => one.name === name);

/** Every descendant of a name, in order, whatever stands between. */
export function descendants(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((one) => (one.name === name ? [one] : descendants(one, name)));
}

/** Characters XML 1.0 cannot carry are left out: a name with one would make the whole document unreadable. */
function carried(text: string): string {
  return Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const isControl = code < 0x20 && code !== 9 && code !== 10 && code !== 13;
    return isControl || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff ? '' : char;
  }).join('');
}

/** Text for an element or an attribute. */
export const escapeXml = (text: string): string =>
  carried(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

export type Written = {
  name: string;
  attributes?: Record<string, string | null | undefined>;
  content?: (Written | string)[];
};

/** Writes an element; attributes that are null are left out. */
export function writeXml({ name, attributes = {}, content = [] }: Written): string {
  const told = Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [` ${key}="${escapeXml(value)}"`],
  );
  const inner = content.map((one) => (typeof one === 'string' ? escapeXml(one) : writeXml(one))).join('');
  return inner === '' ? `<${name}${told.join('')}/>` : `<${name}${told.join('')}>${inner}</${name}>`;
}
