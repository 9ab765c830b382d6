import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { sealDocument } from './client.ts';
import { readDocument, writeMarkets, writeProducts } from './document.ts';
import { readCall } from './envelope.ts';
import { mapDocument } from './map.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const header = {
  version: '1',
  type: 'mms-markets',
  providerId: 'Milkrun-46',
  applicationId: 'Milkrun',
  applicationVersion: '1',
  operatorId: '46',
  transactionId: '4D4371BD-9108-4635-9BF5-80724FC3EC03',
  transactionTime: '2026-03-12T15:00:00.000Z',
};

const folder = path.join(process.env.MILKRUN_TEST_DATA ?? '', 'nama_vdi');
const hasData = process.env.MILKRUN_TEST_DATA !== undefined && existsSync(path.join(folder, 'Markets.xsd'));
if (!hasData) process.stderr.write('VDI schemas not tested: MILKRUN_TEST_DATA names no folder with nama_vdi in it.\n');

describe.runIf(hasData)('the published schemas', () => {
  const file = (name: string): string => readFileSync(path.join(folder, name), 'utf8').replace(/^\ufeff/, '');
  const errorsOf = async (document: string, schema: string) => {
    const { valid, errors } = await validateXML({
      xml: { fileName: 'sent.xml', contents: document },
      schema: { fileName: schema, contents: file(schema) },
    });
    return valid ? [] : errors.map(({ message }) => message);
  };

  it('accept what we write, with the worst names there are', async () => {
    const name = `  A&B "<\u0001>"  ${'long '.repeat(60)}`;
    const markets = writeMarkets(header, [
      { marketId: '12', name, address: name, location: null, kiosks: [{ kioskId: 'K', serialNumber: null }] },
      { marketId: 'x'.repeat(90), name: '', address: null, location: '', kiosks: [] },
    ]);
    expect(await errorsOf(markets, 'Markets.xsd')).toEqual([]);
    const product = {
      productId: '7',
      code: name,
      name,
      category: name,
      cost: '0.2100',
      price: '1.50',
      barcodes: ['044100100550', '<'],
    };
    const products = writeProducts({ ...header, type: 'mms-products' }, [
      {
        marketId: '12',
        version: '3',
        size: 'Full',
        update: [product, { ...product, barcodes: [], cost: null }],
        remove: [],
      },
      { marketId: '13', version: '4', size: 'Partial', update: [], remove: ['8'] },
    ]);
    expect(await errorsOf(products, 'Products.xsd')).toEqual([]);
    expect(readCall(bytes(sealDocument(header, markets))).VDIXML).toBe(markets);
  });

  it.each(['kiosks.example.xml', 'consumers.example.xml', 'markets.example.xml', 'products-catalog.example.xml'])(
    'the example %s is read',
    (name) => {
      const document = readDocument(file(name));
      expect(document.header.transactionId).toMatch(/^[0-9A-F-]{36}$/);
      const { devices, unreadable } = mapDocument(document, { timeZone: 'America/New_York' });
      expect([devices?.length ?? 0, unreadable?.length ?? 0]).toEqual([name.startsWith('kiosks') ? 3 : 0, 0]);
    },
  );
});
