import {
  child,
  decodeXml,
  descendants,
  escapeXml,
  parseXml,
  type Written,
  writeXml,
  XmlError,
  type XmlNode,
} from './xml.ts';

export const soapNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';
export const vdiNamespace = 'urn:VDIDataExchangeService';
export const soapAction = '"urn:VDIDataExchangeService/IVDIDataExchangeService/VDIDataExchange"';

/** Parameters of the one operation, in the order the service describes. */
export const parameterNames = [
  'VDIXMLVersion',
  'VDIXMLType',
  'ProviderID',
  'ApplicationID',
  'ApplicationVersion',
  'TransactionID',
  'TransactionTime',
  'OperatorID',
  'CompressionType',
  'CompressionParam',
  'Encoding',
  'VDIXML',
  'UserData',
] as const;
type ParameterName = (typeof parameterNames)[number];
export type Parameters = Partial<Record<ParameterName, string>>;

/** Why an envelope is refused: said to the sender as a fault. */
export class EnvelopeError extends Error {
  readonly code: 'Client' | 'VersionMismatch';

  constructor(code: 'Client' | 'VersionMismatch', message: string) {
    super(message);
    this.name = 'EnvelopeError';
    this.code = code;
  }
}

const declaration = '<?xml version="1.0" encoding="utf-8"?>\n';

function wrapped(body: string): string {
  return `${declaration}<s:Envelope xmlns:s="${soapNamespace}"><s:Body>${body}</s:Body></s:Envelope>`;
}

/** A call of the operation: the inner document goes as escaped text. */
export function writeCall(parameters: Parameters): string {
  const told = parameterNames.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [`<${name}>${escapeXml(value)}</${name}>`];
  });
  return wrapped(`<VDIDataExchange xmlns="${vdiNamespace}">${told.join('')}</VDIDataExchange>`);
}

function bodyOf(root: XmlNode): XmlNode {
  if (root.name !== 'Envelope') throw new EnvelopeError('Client', 'This is no SOAP envelope.');
  if (root.namespace !== soapNamespace) throw new EnvelopeError('VersionMismatch', 'Only SOAP 1.1 is spoken here.');
  const body = child(root, 'Body');
  if (body?.namespace !== soapNamespace) throw new EnvelopeError('Client', 'The SOAP envelope has no body.');
  return body;
}

/** Reads a call. Throws EnvelopeError for what is no call of the operation, XmlError for what is no XML. */
export function readCall(bytes: Uint8Array): Parameters {
  const body = bodyOf(parseXml(decodeXml(bytes)));
  const call = child(body, 'VDIDataExchange');
  if (!call) throw new EnvelopeError('Client', 'The body must hold VDIDataExchange.');
  if (call.namespace !== vdiNamespace) {
    throw new EnvelopeError('Client', `VDIDataExchange must be in the namespace ${vdiNamespace}.`);
  }
  return Object.fromEntries(
    parameterNames.flatMap((name) => {
      const told = child(call, name);
      return !told || told.attributes.nil === 'true' ? [] : [[name, told.text]];
    }),
  );
}

export type Answer = {
  accepted: boolean;
  /** What the other side says; SUCCESS where it says nothing else. */
  message: string;
  rejected: { id: string; reason: string }[];
  /** Documents that came back: only by our own extension of version 2.0. */
  documents: string[];
  cursor: string | null;
};

/** The plain answer of version 1: SUCCESS, or a message that is an error. */
export const writeResult = (result: string): string =>
  wrapped(
    `<VDIDataExchangeResponse xmlns="${vdiNamespace}"><VDIDataExchangeResult>${escapeXml(result)}</VDIDataExchangeResult></VDIDataExchangeResponse>`,
  );

/** The structured answer of version 2.0, as we read its announcement. */
export function writeStructuredResult(accepted: boolean, message: string, rejected: Answer['rejected']): string {
  const rejections: Written[] = rejected.length
    ? [
        {
          name: 'RejectedRecords',
          content: rejected.map(({ id, reason }) => ({
            name: 'Rejected',
            attributes: { ID: id.slice(0, 200), Reason: reason.slice(0, 300) },
          })),
        },
      ]
    : [];
  const result = writeXml({
    name: 'VDIDataExchangeResult',
    content: [
      { name: 'ResultCode', content: [accepted ? '0' : '1'] },
      { name: 'ResultDescription', content: [message] },
      ...rejections,
    ],
  });
  return wrapped(`<VDIDataExchangeResponse xmlns="${vdiNamespace}">${result}</VDIDataExchangeResponse>`);
}

/** A SOAP 1.1 fault: the call itself was wrong, or failed here. */
export const writeFault = (code: 'Client' | 'Server' | 'VersionMismatch', message: string): string =>
  wrapped(`<s:Fault><faultcode>s:${code}</faultcode><faultstring>${escapeXml(message)}</faultstring></s:Fault>`);

/** Reads an answer, in any of the three forms seen; never by the HTTP status. Throws XmlError for what is none. */
export function readAnswer(bytes: Uint8Array): Answer {
  const body = bodyOf(parseXml(decodeXml(bytes)));
  const nothing = { rejected: [], documents: [], cursor: null };
  const fault = child(body, 'Fault');
  if (fault) {
    const message = child(fault, 'faultstring')?.text.trim() || 'The other side answered with a fault.';
    return { accepted: false, message, ...nothing };
  }
  const result = descendants(body, 'VDIDataExchangeResult')[0];
  if (!result) throw new XmlError('The answer holds no VDIDataExchangeResult.');
  const code = child(result, 'ResultCode')?.text.trim();
  if (code === undefined) {
    const message = result.text.trim();
    return { accepted: message.toUpperCase() === 'SUCCESS', message: message || 'The answer is empty.', ...nothing };
  }
  return {
    accepted: code === '0',
    message: child(result, 'ResultDescription')?.text.trim() || `Result code ${code}`,
    rejected: descendants(result, 'Rejected').map(({ attributes }) => ({
      id: attributes.ID ?? '',
      reason: attributes.Reason ?? '',
    })),
    documents: descendants(result, 'VDIXML').map(({ text }) => text),
    cursor: child(result, 'Cursor')?.text ?? null,
  };
}
