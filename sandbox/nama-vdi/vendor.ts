import { createHash } from 'node:crypto';
import type { SandboxReply, SandboxRequest, Vendor, World } from '../vendor.ts';
import { marketSales } from './documents.ts';
import { attributesOf, codeResult, elementText, escaped, fault, htmlPage, textResult } from './soap.ts';
import { delivery, documentOf, pushDue, pushKinds, pushWish, requestOf, type Subscriber } from './subscriber.ts';

/** The sign-in that the stand-in knows. */
export const credentials = { user: 'milkrun-vms', password: 'vdi-sandbox-key' };

const plays = ['error_text', 'result_code', 'soap_fault', 'html_error', 'lost_ack'];

/**
 * The market side (MMS) of a VDI exchange: takes markets and products, and pushes kiosks, sales, account transactions,
 * collections and consumers. x-request and the x- documents are an extension of our own; nobody publishes it.
 */
export const namaVdi: Vendor = {
  prefix: 'nama-vdi',
  credentials: {
    vmsSystemId: credentials.user,
    mmsSystemId: 'MMS365/46',
    apiKey: credentials.password,
    environment: 'sandbox',
  },
  calls: ['POST /', 'GET /'],
  pushes: pushKinds,
  plays,
  answer: (request, world) => {
    if (request.path.startsWith('/subscribers') && request.method === 'POST') return subscribe(request, world);
    if (!isSignedIn(request)) return { status: 401, headers: { 'www-authenticate': 'Basic realm="VDI"' }, body: '' };
    if (request.method === 'GET') {
      return request.query.has('wsdl') ? description(world) : { status: 405, body: '' };
    }
    return exchange(request, world);
  },
  push: async (world, wish) => {
    for (const subscriber of subscribersOf(world)) {
      if (wish) await pushWish(subscriber, wish, world);
      else await pushDue(subscriber, world);
    }
  },
};

function isSignedIn({ headers }: SandboxRequest): boolean {
  const { user, password } = credentials;
  return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function subscribersOf(world: World): Subscriber[] {
  const known = world.state.get('subscribers');
  if (known) return known as Subscriber[];
  const fresh: Subscriber[] = [];
  world.state.set('subscribers', fresh);
  return fresh;
}

/** What is agreed on the telephone in reality: where the management side takes documents. */
function subscribe(request: SandboxRequest, world: World): SandboxReply {
  const told = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>;
  const { url, user = credentials.user, password = credentials.password } = told;
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return { status: 422, body: 'url is required' };
  const all = subscribersOf(world);
  const before = all.find((one) => one.url === url);
  const pushedUntil = before?.pushedUntil ?? world.now();
  const subscriber = {
    url,
    user: String(user),
    password: String(password),
    pushedUntil,
    waiting: before?.waiting ?? [],
  };
  all.splice(0, all.length, ...all.filter((one) => one.url !== url), subscriber);
  return { status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ url }) };
}

function description(world: World): SandboxReply {
  const body = `<?xml version="1.0"?><wsdl:definitions name="VDIDataExchangeService" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"><wsdl:service name="VDIDataExchangeService"><wsdl:documentation>${escaped(world.origin)}</wsdl:documentation></wsdl:service></wsdl:definitions>`;
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body };
}

async function exchange(request: SandboxRequest, world: World): Promise<SandboxReply> {
  const played = world.fault('POST /')?.kind;
  if (played === 'html_error') return htmlPage();
  if (played === 'soap_fault') return fault('Object reference not set to an instance of an object.');
  if (played === 'error_text') return textResult('Unable to process the document at this time');
  const answer = await take(request.body.toString('utf8'), world);
  // The work is done and nobody hears of it.
  if (played === 'lost_ack') return { status: 504, body: 'Gateway Timeout' };
  if (played === 'result_code' && elementText(String(answer.body), 'VDIDataExchangeResult') === 'SUCCESS')
    return codeResult(0, 'OK');
  return answer;
}

async function take(call: string, world: World): Promise<SandboxReply> {
  if (/<!DOCTYPE/i.test(call)) return fault('DTD is prohibited');
  const document = elementText(call, 'VDIXML');
  if (document === null || !/urn:VDIDataExchangeService/.test(call)) return fault('The message could not be processed');
  const root = attributesOf(document, 'VDITransaction');
  const missing = rootNames.find((name) => !root?.[name]);
  if (!root || missing) return textResult(`Document is not valid: ${missing ?? 'VDITransaction'} is missing`);
  const id = root.TransactionID ?? '';
  const print = createHash('sha256').update(document).digest('hex');
  const before = world.state.get(`taken ${id}`);
  if (before !== undefined && before !== print)
    return textResult(`Transaction ${id} was received before with other content`);
  if (root.VDIXMLType === 'x-request') return answerRequest(document, world);
  if (before === print) return textResult('SUCCESS');
  const wrong = wrongIn(root.VDIXMLType ?? '', document, world);
  if (wrong) return textResult(wrong);
  world.state.set(`taken ${id}`, print);
  if (root.VDIXMLType === 'mms-markets') await answerMarkets(world);
  return textResult('SUCCESS');
}

const rootNames = [
  'VDIXMLVersion',
  'VDIXMLType',
  'ProviderID',
  'ApplicationID',
  'ApplicationVersion',
  'OperatorID',
  'TransactionID',
  'TransactionTime',
];

/** What the published schema says of the two documents that the market side takes. */
function wrongIn(type: string, document: string, world: World): string | null {
  const tags = (name: string) =>
    Array.from(document.matchAll(new RegExp(`<${name}\\s[^>]*>`, 'g')), ([tag]) => attributesOf(tag, name) ?? {});
  const markets = tags('Market');
  const badId = markets.find(({ MarketID: id = '' }) => id.length < 1 || id.length > 64);
  if (type === 'mms-markets') {
    if (markets.length === 0) return 'Document is not valid: MarketsCollection is empty';
    return badId || markets.some(({ MarketName: name }) => name === undefined || name.length > 128)
      ? 'Document is not valid: Market'
      : null;
  }
  if (type !== 'mms-products') return `Document type ${type} is not supported`;
  const badProduct = tags('Product').find(
    ({ ProductID: id = '', ProductName: name = '' }) => !id || id.length > 64 || name.length > 40,
  );
  if (badId || badProduct || markets.some(({ CatalogSize: size }) => size !== 'Full' && size !== 'Partial'))
    return 'Document is not valid: catalogue';
  return olderCatalog(markets, world);
}

/** A catalogue version that goes back is refused: documents may overtake one another. */
function olderCatalog(markets: Record<string, string>[], world: World): string | null {
  for (const { MarketID: id = '', CatalogVersion: version } of markets) {
    const known = world.state.get(`catalog ${id}`);
    if (version === undefined) continue;
    if (typeof known === 'string' && Number(version) < Number(known))
      return `Catalog version ${version} of ${id} is older than ${known}`;
    world.state.set(`catalog ${id}`, version);
  }
  return null;
}

/** Told of markets, the market side tells of its kiosks. */
async function answerMarkets(world: World): Promise<void> {
  for (const subscriber of subscribersOf(world)) {
    const now = world.now();
    await world.deliver(delivery(subscriber, documentOf('mms-kiosks', world, { from: now, to: now })));
  }
}

const dayMs = 86_400_000;
const pageSize = 500;

/** Our own extension: documents of the kinds asked for, sales page by page by their place in time. */
function answerRequest(document: string, world: World): SandboxReply {
  const { wanted, since, cursor } = requestOf(document);
  const now = world.now();
  const [fromCursor, placeText] = (cursor ?? '').split('|');
  const from = fromCursor ? new Date(fromCursor) : (since ?? new Date(now.getTime() - 7 * dayMs));
  const until = placeText ? new Date(placeText) : now;
  const isSales = wanted.includes('mms-sales');
  const rows = isSales ? marketSales(world.fleet, from, until) : [];
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  const to = last ? new Date(last.at.getTime() + 1) : until;
  const documents = wanted
    .filter((kind) => !cursor || kind === 'mms-sales' || !isSales)
    .map(
      (kind) => `<VDIXML>${escaped(elementText(documentOf(kind, world, { from, to }).body, 'VDIXML') ?? '')}</VDIXML>`,
    );
  const next = last ? `<Cursor>${to.toISOString()}|${until.toISOString()}</Cursor>` : '';
  return codeResult(0, 'OK', `${next}<Documents>${documents.join('')}</Documents>`);
}
