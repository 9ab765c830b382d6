import { randomUUID } from 'node:crypto';
import type { SandboxReply } from '../vendor.ts';

// Written from the published description; plain text handling, so that no mistake of a parser is shared with who calls us.

const namedReferences: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char] ?? '&quot;');

export const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp|#\d+|#x[0-9a-f]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return namedReferences[name.toLowerCase()] ?? whole;
    return String.fromCodePoint(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

/** The text of the first element of a name, without its prefix; null where there is none. */
export function elementText(xml: string, name: string): string | null {
  const found = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(xml);
  return found ? plain(found[1] ?? '') : null;
}

/** Attributes of the first start tag of a name. */
export function attributesOf(xml: string, name: string): Record<string, string> | null {
  const tag = new RegExp(`<${name}(\\s[^>]*?)?/?>`).exec(xml);
  if (!tag) return null;
  const found = (tag[1] ?? '').matchAll(/([\w:]+)\s*=\s*"([^"]*)"/g);
  return Object.fromEntries(Array.from(found, ([, key = '', value = '']) => [key, plain(value)]));
}

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`;

const xml = (body: string, status = 200): SandboxReply => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body,
});

const response = (result: string): string =>
  envelope(
    `<VDIDataExchangeResponse xmlns="urn:VDIDataExchangeService"><VDIDataExchangeResult>${result}</VDIDataExchangeResult></VDIDataExchangeResponse>`,
  );

/** SUCCESS, or a message of an error, with status 200 either way. */
export const textResult = (text: string): SandboxReply => xml(response(escaped(text)));

export const codeResult = (code: number, description: string, more = ''): SandboxReply =>
  xml(
    response(`<ResultCode>${code}</ResultCode><ResultDescription>${escaped(description)}</ResultDescription>${more}`),
  );

export const fault = (text: string): SandboxReply =>
  xml(
    envelope(`<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${escaped(text)}</faultstring></soap:Fault>`),
    500,
  );

export const htmlPage = (): SandboxReply => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><html><head><title>Runtime Error</title></head><body><h1>Server Error<br>in Application</h1></body></html>',
});

export const provider = {
  providerId: 'MMS365',
  applicationId: 'smartshop',
  applicationVersion: '1902',
  operatorId: '46',
};

export type Sent = { type: string; id: string; body: string };

/** A document in its call, with times in the offset of the kiosks. */
export function sealed(type: string, content: string, at: Date, version: '1' | '2'): Sent {
  const id = randomUUID().toUpperCase();
  const { providerId, applicationId, applicationVersion, operatorId } = provider;
  const time = at.toISOString();
  const document = `<?xml version="1.0" encoding="utf-8"?>\n<VDITransaction VDIXMLVersion="${version}" VDIXMLType="${type}" ProviderID="${providerId}" ApplicationID="${applicationId}" ApplicationVersion="${applicationVersion}" TransactionID="${id}" TransactionTime="${time}" OperatorID="${operatorId}">${content}</VDITransaction>`;
  return { type, id, body: inCall({ type, id, time, version }, document) };
}

function inCall(head: { type: string; id: string; time: string; version: string }, document: string): string {
  const { type, id, time, version } = head;
  const parameters: [string, string][] = [
    ['VDIXMLVersion', version],
    ['VDIXMLType', type],
    ['ProviderID', provider.providerId],
    ['ApplicationID', provider.applicationId],
    ['ApplicationVersion', provider.applicationVersion],
    ['TransactionID', id],
    ['TransactionTime', time],
    ['OperatorID', provider.operatorId],
    ['Encoding', 'UTF-8'],
    ['VDIXML', document],
  ];
  const told = parameters.map(([name, value]) => `<${name}>${escaped(value)}</${name}>`).join('');
  return envelope(`<VDIDataExchange xmlns="urn:VDIDataExchangeService">${told}</VDIDataExchange>`);
}
