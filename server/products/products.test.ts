import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';

/** A GTIN-13 of its first twelve digits. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

onEachDatabase('Products', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const create = (body: object) => manager.call('POST', '/api/products', { body });
  const names = (list: { name: string }[]) => list.map((product) => product.name);

  it('a created product keeps its prices as text and is found by any form of its barcode', async () => {
    const body = { name: 'Spring Water', unitPrice: '1.5', unitCost: '0.40', caseSize: 24, barcodes: ['036000291452'] };
    const reply = await create(body);
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({ unitPrice: '1.50', unitCost: '0.40', caseSize: 24, brand: null });
    const found = (await worker.call('GET', '/api/products/by-barcode/0036000291452')).json();
    expect(found).toEqual({ found: true, product: reply.json() });
    const unknown = (await worker.call('GET', '/api/products/by-barcode/4006381333931')).json();
    expect(unknown).toEqual({ found: false, product: null });
  });

  it('a barcode belongs to one product, in whatever form', async () => {
    await create({ name: 'First', barcodes: ['4006381333931', '04006381333931'] });
    const second = await create({ name: 'Second', barcodes: ['04006381333931'] });
    const detail = 'The barcode 04006381333931 belongs to First.';
    expect(second.json()).toMatchObject({ status: 409, detail });
    expect(names((await manager.call('GET', '/api/products?search=Second')).json())).toEqual([]);
  });

  it('a name leads to one product: a second of that name is refused, whatever its capitals, made or renamed', async () => {
    const made = (await create({ name: 'Kombucha' })).json();
    const other = (await create({ name: 'Root Beer' })).json();
    const detail = 'Kombucha is in the catalogue already. Change that product, or give this one a name of its own.';
    const refused = { status: 409, detail, fields: { name: detail } };
    expect((await create({ name: 'KOMBUCHA' })).json()).toMatchObject(refused);
    const rename = (id: number, name: string) => manager.call('PUT', `/api/products/${id}`, { body: { name } });
    expect((await rename(other.id, 'kombucha')).json()).toMatchObject(refused);
    expect((await rename(made.id, 'KomBucha')).json().name).toBe('KomBucha');
    const merged = { body: { merged: [other.id] } };
    expect((await manager.call('POST', `/api/products/${made.id}/merge`, merged)).statusCode).toBe(200);
    expect((await create({ name: 'Root beer' })).json().detail).toContain('Root Beer is another name of KomBucha.');
    expect((await rename(made.id, 'Root Beer')).statusCode).toBe(200);
    const [one, two] = await Promise.all([create({ name: 'Twin' }), create({ name: 'twin' })]);
    expect([one.statusCode, two.statusCode].sort()).toEqual([201, 409]);
  });

  it.each([
    [{ name: '' }, 'Product name is required'],
    [{ name: 'X', unitPrice: '-1' }, 'Enter an amount such as 2.50'],
    [{ name: 'X', caseSize: 0 }, 'Case size must be at least 1'],
    [{ name: 'X', shelfLifeDays: 0 }, 'Shelf life must be at least 1 day'],
    [{ name: 'X', barcodes: ['036000291453'] }, 'The check digit of barcode 036000291453 is wrong'],
  ])('a product with %j is refused with a sentence', async (body, sentence) => {
    const reply = await create(body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail).toContain(sentence);
  });

  it('an edit that names no barcodes keeps them; one that does replaces them', async () => {
    const { id } = (await create({ name: 'Tea', brand: 'Leaf', barcodes: ['96385074'] })).json();
    const renamed = (await manager.call('PUT', `/api/products/${id}`, { body: { name: 'Green Tea' } })).json();
    expect(renamed).toMatchObject({ name: 'Green Tea', brand: 'Leaf', barcodes: ['96385074'] });
    const emptied = await manager.call('PUT', `/api/products/${id}`, { body: { barcodes: [] } });
    expect(emptied.json().barcodes).toEqual([]);
    expect((await manager.call('PUT', '/api/products/999999', { body: { name: 'X' } })).statusCode).toBe(404);
    expect((await manager.call('PUT', `/api/products/${id}`, { body: { name: '' } })).statusCode).toBe(400);
  });

  it('the second of two people who edit a product is refused and told by whom', async () => {
    const made = (await create({ name: 'Shared' })).json();
    const edit = (body: object, version: number) =>
      manager.call('PUT', `/api/products/${made.id}`, { body, headers: { 'if-match': `"${version}"` } });
    const first = await edit({ brand: 'One' }, made.version);
    expect(first.statusCode).toBe(200);
    const second = await edit({ brand: 'Two' }, made.version);
    expect(second.json()).toMatchObject({
      status: 409,
      detail: expect.stringContaining('was changed by'),
      fields: { version: expect.any(String) },
    });
    expect((await edit({ brand: 'Two' }, first.json().version)).json().brand).toBe('Two');
  });

  it('a picture is drawn anew by the server, shown to everybody who is signed in, and removed', async () => {
    const { id } = (await create({ name: 'Pictured' })).json();
    const url = `/api/products/${id}/picture`;
    const png = await sharp({ create: { width: 1000, height: 500, channels: 4, background: '#00ff0080' } })
      .png()
      .toBuffer();
    const send = (body: Buffer, person = manager) =>
      person.call('PUT', url, { headers: { 'content-type': 'image/png' }, body });
    expect((await send(png, worker)).statusCode).toBe(403);
    expect((await send(Buffer.from('<svg onload="alert(1)"/>'))).json().detail).toContain('not a picture');
    const large = await manager.call('PUT', url, {
      headers: { 'content-type': 'image/png', 'content-length': '8000001' },
    });
    expect(large.json()).toMatchObject({ status: 413, detail: expect.stringContaining('at most 8 MB') });
    expect((await manager.call('GET', url)).statusCode).toBe(404);
    const { picture } = (await send(png)).json();
    expect((await manager.call('GET', '/api/products/page?search=Pictured')).json().rows[0].picture).toBe(picture);
    const shown = await worker.call('GET', url);
    expect(shown.headers['content-type']).toBe('image/jpeg');
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 320 });
    expect((await nobody(t.app).call('GET', url)).statusCode).toBe(401);
    expect((await manager.call('DELETE', url)).statusCode).toBe(200);
    expect((await worker.call('GET', url)).statusCode).toBe(404);
  });

  it('a barcode is added beside those the product has, once in whatever form, and by the office alone', async () => {
    const { id } = (await create({ name: 'Ginger Ale', barcodes: ['614141000036'] })).json();
    const add = (barcode: string, who = manager, to = id) =>
      who.call('POST', `/api/products/${to}/barcodes`, { body: { barcode } });
    expect((await add('9780201379624')).json().barcodes).toEqual(['614141000036', '9780201379624']);
    expect((await add('0614141000036')).json().barcodes).toHaveLength(2);
    await create({ name: 'Ginger Beer', barcodes: ['8711253001202'] });
    expect((await add('8711253001202')).json()).toMatchObject({ status: 409 });
    expect((await add('9780201379625')).statusCode).toBe(400);
    expect((await add('9780201379624', manager, 999_999)).statusCode).toBe(404);
    expect((await add('9780201379624', worker)).statusCode).toBe(403);
  });

  it('of two barcodes added at the same moment only as many stay as there may be', async () => {
    const codes = Array.from({ length: 21 }, (_, n) => withCheckDigit(`20000000${String(n).padStart(4, '0')}`));
    const { id } = (await create({ name: 'Nineteen Codes', barcodes: codes.slice(0, 19) })).json();
    const add = (barcode: string) => () => manager.call('POST', `/api/products/${id}/barcodes`, { body: { barcode } });
    const replies = await atOnce(t, 'audit_log', codes.slice(19).map(add));
    expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, 409]);
  });

  it('a page of the catalogue finds by words in any order, by barcode, and what lacks a cost', async () => {
    await create({ name: 'Shelf Oat Drink', brand: 'Meadow', unitCost: '0.90', barcodes: ['5901234123457'] });
    await create({ name: 'Shelf Rye Bar' });
    const page = async (query: string) => {
      const { rows, total } = (await manager.call('GET', `/api/products/page?${query}`)).json();
      return { names: names(rows), total };
    };
    expect(await page('search=meadow%20shelf')).toEqual({ names: ['Shelf Oat Drink'], total: 1 });
    expect(await page('search=5901234123457')).toEqual({ names: ['Shelf Oat Drink'], total: 1 });
    expect(await page('search=shelf&gaps=cost')).toEqual({ names: ['Shelf Rye Bar'], total: 1 });
    expect(await page('search=shelf&sort=-name&limit=1')).toEqual({ names: ['Shelf Rye Bar'], total: 2 });
    expect((await manager.call('GET', '/api/products/page?sort=colour')).statusCode).toBe(400);
  });

  it('a page of the catalogue is sorted by any of its columns, and what is not known is below all else', async () => {
    const make = (name: string, brand: string | null, [unitPrice, unitCost]: (string | null)[], category = 'Snack') =>
      create({ name: `Sorted ${name}`, brand, category, unitPrice, unitCost });
    await make('A', 'zeta', ['2.00', '0.50'], 'Tea');
    await make('B', 'Alpha', ['10.00', '9.00']);
    await make('C', null, [null, '1.00'], 'Bar');
    await make('D', 'Mid', ['1.00', '1.50'], 'Oats');
    const order = async (sort: string) => {
      const seen: string[] = [];
      let page = '';
      do {
        const reply = await manager.call('GET', `/api/products/page?search=sorted&limit=2&sort=${sort}${page}`);
        const { rows, next } = reply.json();
        seen.push(...names(rows).map((name) => name.slice(-1)));
        page = next ? `&page=${next}` : '';
      } while (page);
      return seen.join('');
    };
    expect(await order('margin')).toBe('CDBA');
    expect(await order('-margin')).toBe('ABDC');
    expect(await order('brand')).toBe('CBDA');
    expect(await order('-price')).toBe('BADC');
    expect(await order('cost')).toBe('ACDB');
    expect(await order('category')).toBe('CDBA');
  });

  it('pages follow each other by name without gap or repeat', async () => {
    for (const name of ['page b', 'Page A', 'page b2', 'Page C']) await create({ name });
    // Partners may tell of two products of one name.
    await t.deps.db.execute(sql`update products set name = 'page b' where name = 'page b2'`);
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 4; page++) {
      const list = (await worker.call('GET', `/api/products?search=page&limit=2${after}`)).json();
      seen.push(...names(list));
      if (list.length === 0) break;
      after = `&after=${list.at(-1).id}`;
    }
    expect(seen).toEqual(['Page A', 'page b', 'page b', 'Page C']);
  });

  it('a search takes LIKE signs as ordinary characters, and finds barcodes', async () => {
    await create({ name: '100% Juice', barcodes: ['012345678905'] });
    await create({ name: '100 Juices' });
    expect(names((await worker.call('GET', '/api/products?search=100%25')).json())).toEqual(['100% Juice']);
    expect(names((await worker.call('GET', '/api/products?search=012345678905')).json())).toEqual(['100% Juice']);
  });

  it('a worker reads the catalogue and changes nothing', async () => {
    const { id } = (await create({ name: 'Kept' })).json();
    expect((await worker.call('POST', '/api/products', { body: { name: 'X' } })).statusCode).toBe(403);
    expect((await worker.call('PUT', `/api/products/${id}`, { body: { name: 'X' } })).statusCode).toBe(403);
    expect(names((await worker.call('GET', '/api/products?search=Kept')).json())).toEqual(['Kept']);
  });
});
