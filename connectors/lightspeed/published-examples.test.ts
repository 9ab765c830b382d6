import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toDevice, toProduct, toStock } from './map.ts';
import { isRec, type Rec, records } from './read.ts';

const folder = path.join(process.env.MILKRUN_TEST_DATA ?? '', 'lightspeed');
const hasExamples = process.env.MILKRUN_TEST_DATA !== undefined && existsSync(folder);

describe.runIf(hasExamples)('the published examples', () => {
  const example = (name: string): Rec[] => {
    const parsed: unknown = JSON.parse(readFileSync(path.join(folder, `${name}_200.json`), 'utf8'));
    const { data } = isRec(parsed) ? parsed : { data: [] };
    return isRec(data) ? [data] : records(data);
  };

  it('outlets become markets, without coordinates', () => {
    const [second, main, sydney] = example('get_outlets').map((rec) => toDevice(rec, 'acme'));
    expect(second).toMatchObject({
      integrationId: 'lightspeed:acme:b8ca3a65-0183-11e4-fbb5-2816d2677218',
      name: 'Second Outlet',
      address: 'Nuffield Street',
      city: 'Auckland',
      zipCode: '1023',
      latitude: null,
      removed: false,
    });
    expect([main?.state, sydney?.address, sydney?.state]).toEqual([null, null, 'NSW']);
  });

  it('products: empty objects are nothing, HTML is words, variants have their own name', () => {
    const [plain] = example('get_products').map((rec) => toProduct(rec, null));
    expect(plain).toMatchObject({ name: 'Product 0003', price: '2.63', cost: '0.00', category: null, supplier: null });
    const [bravo] = example('get_products_product_id').map((rec) => toProduct({ ...rec, has_variants: true }, null));
    expect(bravo).toMatchObject({
      name: 'Bravo / Black / Cotton / Cotton',
      description: 'The best product ever, except for the next one.',
      category: 'General',
      supplier: 'Peak',
      cost: '100.00',
    });
  });

  it('counts may be below nothing', () => {
    const rows = example('get_inventory').map((rec) => toStock(rec, { prefix: 'acme', product: null, outlet: null }));
    expect(rows.map((row) => row?.quantity)).toEqual([0, 0, -10]);
    expect(rows[2]).toMatchObject({ vendorId: '0b32fb5c-9cff-5d26-2b64-1593ed2a463b', version: '3426971' });
  });
});
if (!hasExamples) process.stderr.write('Skipped: the published examples of Lightspeed need MILKRUN_TEST_DATA.\n');
