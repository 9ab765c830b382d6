import type { Settings } from '../../domain/integration.ts';
import { type VendorContext, VendorError, type VendorReply } from '../connector.ts';
import { type Header, writeRequest } from './document.ts';
import { type Answer, readAnswer, soapAction, writeCall } from './envelope.ts';
import { child, decodeXml, descendants, parseXml, XmlError, type XmlNode } from './xml.ts';

const told = (settings: Settings, name: string): string => {
  const value = settings[name];
  return typeof value === 'string' ? value.trim() : '';
};

/** The other side's provider id, and the operator where one is named after a slash. */
export function peerOf(settings: Settings): { providerId: string; operatorId: string } {
  const [providerId = '', operatorId = ''] = told(settings, 'mmsSystemId').split('/');
  return { providerId: providerId.trim(), operatorId: operatorId.trim() };
}

/** Version 2.0 of a configuration: our reading of what is announced. */
export const isSecond = (settings: Settings): boolean => settings.version !== '1.0';

/** Where documents are sent: always what was entered, or a wrong address would look right. The sandbox has an address of its own. */
const endpointOf = ({ settings }: VendorContext): string => told(settings, 'apiEndpoint');

/** UTF-8 before base64, so that any password can be sent. */
export function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

const authorization = (settings: Settings): string => basic(told(settings, 'vmsSystemId'), told(settings, 'apiKey'));

/** Head of a document of ours. `id` is kept for a re-send, which must be the same to the byte. */
export function headerFor(context: VendorContext, type: string, id: string): Header {
  const { settings } = context;
  return {
    version: isSecond(settings) ? '2' : '1',
    type,
    providerId: told(settings, 'vmsSystemId').slice(0, 64),
    applicationId: 'Milkrun',
    applicationVersion: '1',
    operatorId: peerOf(settings).operatorId || told(settings, 'vmsSystemId').slice(0, 64),
    transactionId: id,
    transactionTime: context.now().toISOString(),
  };
}

/** The bytes of a call: what a caller keeps to send them again unchanged. */
export function sealDocument(header: Header, document: string): string {
  return writeCall({
    VDIXMLVersion: header.version,
    VDIXMLType: header.type,
    ProviderID: header.providerId,
    ApplicationID: header.applicationId,
    ApplicationVersion: header.applicationVersion,
    TransactionID: header.transactionId,
    TransactionTime: header.transactionTime,
    OperatorID: header.operatorId,
    Encoding: 'UTF-8',
    VDIXML: document,
  });
}

function refuseStatus(status: number): void {
  if (status === 401) throw failed('auth', 'The VDI system refuses the sign-in. Check VMS System ID and API Key.');
  if (status === 403)
    throw failed(
      'forbidden',
      'The VDI system does not allow this for this sign-in. Ask its operator for the right to exchange data.',
    );
  if (status === 404) throw failed('bad-data', 'There is no VDI service at this address. Check the API Endpoint.');
}

const failed = (kind: VendorError['kind'], message: string, cause?: unknown): VendorError =>
  new VendorError('nama_vdi', kind, message, cause);

/** Sends the bytes of a call. Throws VendorError; a refusal of the document is in the answer. */
export async function sendCall(context: VendorContext, call: string): Promise<Answer> {
  const reply = await context.fetch(endpointOf(context), {
    method: 'POST',
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: soapAction,
      authorization: authorization(context.settings),
    },
    body: call,
  });
  refuseStatus(reply.status);
  return answerOf(reply);
}

function answerOf(reply: VendorReply): Answer {
  try {
    return readAnswer(reply.bytes);
  } catch (error) {
    const sentence =
      'The VDI system answers with something that is no VDI answer. Check the API Endpoint, or try later.';
    throw failed('bad-data', sentence, error);
  }
}

/** Version 2.0 only, by our own extension: asks for documents of a type. */
export async function askFor(
  context: VendorContext,
  wish: { wanted: string; since: Date | null; cursor: string | null },
): Promise<Answer> {
  const header = headerFor(context, 'x-request', context.hash.uuid());
  const request = { wanted: wish.wanted, since: wish.since?.toISOString() ?? null, cursor: wish.cursor };
  const answer = await sendCall(context, sealDocument(header, writeRequest(header, request)));
  if (!answer.accepted) throw failed('bad-data', `The VDI system refuses: ${answer.message.slice(0, 200)}`);
  return answer;
}

/** One call that proves address and sign-in: the service's own description. */
export async function testConnection(context: VendorContext): Promise<{ detail: string }> {
  const address = endpointOf(context);
  const reply = await context.fetch(`${address}${address.includes('?') ? '&' : '?'}wsdl`, {
    headers: { authorization: authorization(context.settings) },
  });
  refuseStatus(reply.status);
  if (reply.status === 200 && describesService(reply)) {
    return { detail: 'VDI system is reachable' };
  }
  if (!isSecond(context.settings)) {
    throw failed('bad-data', `The address answers with status ${reply.status} and describes no VDI service.`);
  }
  await askFor(context, { wanted: 'x-devices', since: context.now(), cursor: null });
  return { detail: 'VDI system is reachable' };
}

/** Half a description is one that the exchange itself would break off at: it proves nothing. Throws VendorError. */
function describesService(reply: VendorReply): boolean {
  if (!/<(?:\w+:)?definitions[\s/>]/.test(reply.text())) return false;
  const root = descriptionOf(reply);
  const operations = descendants(root, 'operation').map(({ attributes }) => attributes.name);
  // Some services spread theirs over several documents, and name the operation in another one.
  return root.name === 'definitions' && (operations.includes('VDIDataExchange') || child(root, 'import') !== undefined);
}

function descriptionOf({ bytes }: VendorReply): XmlNode {
  try {
    return parseXml(decodeXml(bytes));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const sentence =
      'The VDI system sends a description of its service that is cut off or cannot be read. Test again; if it stays so, ask its operator.';
    throw failed('bad-data', sentence, error);
  }
}

/**
 * Tells the sandbox where documents go; a real market side is told by its own people, so nothing is sent there.
 * Throws VendorError.
 */
export async function subscribe(address: string, context: VendorContext): Promise<void> {
  const { settings, sandboxUrl } = context;
  const base = sandboxUrl === null ? null : `${sandboxUrl.replace(/\/$/, '')}/nama-vdi`;
  if (base === null || settings.environment !== 'sandbox' || endpointOf(context).replace(/\/$/, '') !== base) return;
  const body = { url: address, user: told(settings, 'vmsSystemId'), password: told(settings, 'apiKey') };
  const reply = await context.fetch(`${base}/subscribers`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (reply.status >= 300) throw failed('bad-data', `The sandbox does not take the address: status ${reply.status}.`);
}
