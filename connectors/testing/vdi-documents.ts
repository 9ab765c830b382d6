/** The bytes of a text, as they come over the wire. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A document of VDI as a market's system writes it. */
export const root = (type: string, content: string, id = 'T-1'): string =>
  `<VDITransaction VDIXMLVersion="1" VDIXMLType="${type}" ProviderID="365" ApplicationID="smartshop" ApplicationVersion="1902" OperatorID="46" TransactionID="${id}" TransactionTime="2026-03-12T09:00:00-05:00">${content}</VDITransaction>`;
