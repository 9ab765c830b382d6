import { describe, expect, it } from 'vitest';
import { bytes, root } from '../testing/vdi-documents.ts';
import { readAnswer, readCall, writeCall, writeFault, writeResult, writeStructuredResult } from './envelope.ts';
import { openRequest } from './webhook.ts';
import { parseXml } from './xml.ts';

describe('XML', () => {
  it.each([
    ['an entity bomb', '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>', /not accepted/],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /not accepted/],
    ['an unknown reference', '<a>&bomb;</a>', /&bomb;/],
    ['half a document', '<a><b>', /not well-formed/],
    ['two roots', '<a/><b/>', /well-formed|single root/],
    ['nothing', '  ', /well-formed|root/],
    ['a deep nest', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`, /deep|nested/i],
    ['comments without an end', `<a>${'<!--'.repeat(400_000)}`, /has no end/],
    ['character data without an end', `<a>${'<![CDATA['.repeat(400_000)}`, /has no end/],
    ['an entity after a comment', '<!-- x --><!DOCTYPE a [<!ENTITY b "b">]><!-- y --><a/>', /not accepted/],
    ['more than 8 MB', `<a>${'x'.repeat(8_000_001)}</a>`, /larger than 8 MB/],
  ])('%s is refused', (_, source, reason) => {
    expect(() => parseXml(source)).toThrow(reason);
  });

  it('a refusal does not send the document back', () => {
    expect(() => parseXml('<a>'.repeat(10_000))).toThrow(/^.{20,300}$/s);
  });

  it('text, character data and references are read once, prefixes by their namespace', () => {
    const node = parseXml('<x:a xmlns:x="urn:x" b="1 &lt; 2"><![CDATA[<!DOCTYPE &lt;]]>&#65;&amp;lt;</x:a>');
    expect(node).toMatchObject({
      name: 'a',
      namespace: 'urn:x',
      attributes: { b: '1 < 2' },
      text: '<!DOCTYPE &lt;A&lt;',
    });
  });
});

describe('the envelope', () => {
  it('carries a document as escaped text and gives it back unchanged', () => {
    const document = root('mms-sales', '<Sales/>').replace('smartshop', 'a &amp; &quot;b&quot;');
    const written = writeCall({ VDIXMLType: 'mms-sales', TransactionID: 'T-1', VDIXML: document });
    expect(written).not.toContain('<VDITransaction');
    expect(readCall(bytes(written))).toEqual({ VDIXMLType: 'mms-sales', TransactionID: 'T-1', VDIXML: document });
    const wide = Buffer.from(`\ufeff${written}`, 'utf16le');
    expect(readCall(wide).VDIXML).toBe(document);
  });

  it.each([
    [
      'SOAP 1.2',
      writeCall({}).replace('http://schemas.xmlsoap.org/soap/envelope/', 'http://www.w3.org/2003/05/soap-envelope'),
    ],
    ['another namespace', writeCall({}).replace('urn:VDIDataExchangeService', 'urn:other')],
    ['no operation', writeResult('SUCCESS')],
    ['no envelope', '<VDIDataExchange xmlns="urn:VDIDataExchangeService"/>'],
  ])('%s is refused', (_, body) => {
    expect(() => readCall(bytes(body))).toThrow(expect.objectContaining({ name: 'EnvelopeError' }));
  });

  it('an answer is success by its own words, whichever of the three forms it has', () => {
    expect(readAnswer(bytes(writeResult(' success ')))).toMatchObject({ accepted: true });
    expect(readAnswer(bytes(writeResult('Unknown market')))).toMatchObject({
      accepted: false,
      message: 'Unknown market',
    });
    const rejected = [{ id: 'S1', reason: 'no "time"' }];
    expect(readAnswer(bytes(writeStructuredResult(true, 'OK', rejected)))).toMatchObject({ accepted: true, rejected });
    expect(readAnswer(bytes(writeFault('Client', 'No')))).toMatchObject({ accepted: false, message: 'No' });
    expect(() => readAnswer(bytes('<html><body>Error</body></html>'))).toThrow();
  });

  it('the outer and the inner id must be one', () => {
    const body = writeCall({ TransactionID: 'T-1', VDIXML: root('mms-sales', '<Sales/>', 'T-2') });
    expect(() => openRequest(bytes(body))).toThrow('TransactionID of the call and of the document differ');
  });
});
