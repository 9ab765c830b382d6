import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';

onEachDatabase('import of planograms', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await buildMachine(database.db, { machineId: 'VM-1', name: 'Lobby machine' });
  });
  afterAll(() => database.close());

  const take = (lines: readonly string[]) => reportOf(database.db, ['planogram', 'p.csv'], `${lines.join('\n')}\n`);
  const slots = () =>
    rows<Record<string, unknown>>(
      database.db,
      sql`select t.slot_number as slot, t.product_name as product, p.name as catalogue, t.price, t.max_quantity as capacity,
            t.par_quantity as par, t.minimum_quantity as minimum, t.current_quantity as quantity
          from vending_machine_inventory t left join products p on p.id = t.product_id order by t.slot_number`,
    );
  const head = 'machine,slot,product,barcode,price,capacity,par,minimum';

  it('knows the machine by whatever its number is called, as a list of places does', async () => {
    const { machineId } = await buildMachine(database.db);
    const report = await take(['Equipment Number,slot,product,price', `${machineId},Z1,Gum,1`]);
    expect(report).toMatchObject({ created: 1, refused: [] });
    await database.db.execute(sql`delete from vending_machine_inventory where slot_number = 'Z1'`);
  });

  it('makes slots and their products, changes what differs, and a second import changes nothing', async () => {
    const lines = [head, 'VM-1,A1,Cola,012000161155,1.50,12,10,3', 'Lobby machine,A2,Nuts,,2,,,'];
    expect(await take(lines)).toMatchObject({ rows: 2, created: 2, updated: 0, refused: [] });
    expect(await take(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(await take([head, 'VM-1,A2,Bars,,2.25,8,,'])).toMatchObject({ created: 0, updated: 1 });
    expect(await slots()).toEqual([
      { slot: 'A1', product: 'Cola', catalogue: 'Cola', price: '1.50', capacity: 12, par: 10, minimum: 3, quantity: 0 },
      {
        slot: 'A2',
        product: 'Bars',
        catalogue: 'Bars',
        price: '2.25',
        capacity: 8,
        par: null,
        minimum: 0,
        quantity: 0,
      },
    ]);
    const coded = await rows(database.db, sql`select code from product_barcodes`);
    expect(coded).toHaveLength(1);
  });

  it('takes what is on hand as the first count of a new slot; afterwards the ledger has the say', async () => {
    const onHand = () =>
      rows(database.db, sql`select current_quantity as n from vending_machine_inventory where slot_number = 'H1'`);
    const line = (units: number) => [`machine,slot,product,price,capacity,on hand`, `VM-1,H1,Gum,1.00,12,${units}`];
    expect(await take(line(7))).toMatchObject({ created: 1 });
    expect(await onHand()).toEqual([{ n: 7 }]);
    expect(await take(line(3))).toMatchObject({ created: 0, unchanged: 1 });
    expect(await onHand()).toEqual([{ n: 7 }]);
    const { refused } = await take(['machine,slot,product,price,capacity,on hand', 'VM-1,H2,Gum,1.00,12,13']);
    expect(refused.map(({ reason }) => reason)).toEqual(['has 13 units in a slot that holds 12']);
  });

  it('takes a number in other capitals for the slot that is there, and twice in a file for a repeat', async () => {
    const file = (...lines: string[]) => take(['machine,slot,product,price', ...lines]);
    expect(await file('VM-1,K1,Gum,1.00', 'VM-1,k1,Mint,1.20')).toMatchObject({
      created: 1,
      refused: [
        {
          line: 3,
          reason: 'repeats slot k1 of line 2: capitals make no other number. Leave one of them out, or number it anew',
        },
      ],
    });
    expect(await file('VM-1,k1,Mint,1.20')).toMatchObject({ created: 0, updated: 1, refused: [] });
    const found = await rows(
      database.db,
      sql`select slot_number as slot, product_name as product from vending_machine_inventory where lower(slot_number) = 'k1'`,
    );
    expect(found).toEqual([{ slot: 'K1', product: 'Mint' }]);
  });

  it('takes each of two slots whose numbers differ in capitals alone, where the machine has both', async () => {
    const file = (...lines: string[]) => take(['machine,slot,product,price', ...lines]);
    await file('VM-1,L1,Gum,1.00');
    await database.db.execute(sql`insert into vending_machine_inventory (machine_id, slot_number, product_name, price, max_quantity)
      select machine_id, 'l1', 'Mint', 1.20, 10 from vending_machine_inventory where slot_number = 'L1'`);
    expect(await file('VM-1,l1,Mint,1.40', 'VM-1,L1,Gum,1.10')).toMatchObject({ created: 0, updated: 2, refused: [] });
    const found = await rows(
      database.db,
      sql`select slot_number as slot, price::text from vending_machine_inventory where lower(slot_number) = 'l1' order by id`,
    );
    expect(found).toEqual([
      { slot: 'L1', price: '1.10' },
      { slot: 'l1', price: '1.40' },
    ]);
  });

  it('refuses a number that two slots of the machine have in other capitals', async () => {
    const file = (...lines: string[]) => take(['machine,slot,product,price', ...lines]);
    await file('VM-1,MM1,Gum,1.00');
    await database.db.execute(sql`insert into vending_machine_inventory (machine_id, slot_number, product_name, price, max_quantity)
      select machine_id, 'mm1', 'Mint', 1.20, 10 from vending_machine_inventory where slot_number = 'MM1'`);
    const { updated, refused } = await file('VM-1,Mm1,Mint,1.40');
    expect(updated).toBe(0);
    expect(refused).toEqual([{ line: 2, reason: 'may mean slot MM1 or mm1: write it as the machine has it' }]);
  });

  it('refuses a minimum above what the slot holds, be it told in the line, known or as of new slots', async () => {
    const levels = (...lines: string[]) => take(['machine,slot,product,price,capacity,minimum', ...lines]);
    expect(await levels('VM-1,N1,Gum,1,8,8')).toMatchObject({ created: 1, refused: [] });
    const wrong = ['VM-1,N2,Gum,1,5,6', 'VM-1,N1,Gum,1,,9', 'VM-1,N1,Gum,1,7,', 'VM-1,N3,Gum,1,,11'];
    expect((await levels(...wrong)).refused.map(({ reason }) => reason)).toEqual([
      'has a minimum of 6 in a slot that holds 5',
      'has a minimum of 9 in a slot that holds 8',
      'has a capacity of 7 for a slot with a minimum of 8',
      'has a minimum of 11 and no capacity: a new slot holds 10 then',
    ]);
    await database.db.execute(
      sql`update vending_machine_inventory set minimum_quantity = 9 where slot_number = 'N1' and deleted_at is null`,
    );
    expect(await levels('VM-1,N1,Gum,1.20,,', 'VM-1,N4,Gum,1,,10')).toMatchObject({ updated: 1, created: 1 });
    expect(await levels('VM-1,N1,Gum,1.30,8,9')).toMatchObject({ updated: 1, refused: [] });
  });

  it('refuses unknown machines, levels that do not fit, repeats and gaps, each with its line', async () => {
    const report = await take([
      head,
      'NOWHERE,B1,Cola,,1,,,',
      'VM-1,B1,Cola,,1,5,9,',
      'VM-1,B2,Cola,,1,many,,',
      'VM-1,B3,Cola,,,,,',
      'VM-1,B4,Cola,,1,,,',
      'VM-1,B4,Cola,,1,,,',
      'VM-1,B5,Cola,,€1.50,,,',
      'VM-1,B6,Cola,,CAD 1.50,,,',
      'VM-1,B7,Cola,,$1.50,,,',
    ]);
    expect(report.refused.map((one) => `${one.line} ${one.reason}`)).toEqual([
      '2 names a machine that does not exist: NOWHERE',
      '3 has a par level of 9 in a slot that holds 5',
      '4 has a level that is no whole number from 0 to 10000: many',
      '5 has no price',
      '7 repeats slot B4 of line 6: capitals make no other number. Leave one of them out, or number it anew',
      '8 has a price in €, where yours are in USD',
      '9 has a price in CAD, where yours are in USD',
    ]);
    expect(report).toMatchObject({ rows: 9, created: 2 });
  });
});
