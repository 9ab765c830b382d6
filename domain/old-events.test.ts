import { expect, test } from 'vitest';
import { fieldEvent } from './field-event.ts';
import { stockEvent } from './inventory.ts';

/**
 * Events as phones of every version so far wrote them, letter for letter. A phone may have been without a network for
 * months: these lines are added to and never changed.
 */

const count1 =
  '{"eventId":"0195876c-2b80-7000-8000-000000000001","schemaVersion":1,"itemType":"machine_slot","itemId":7,"kind":"count","quantity":4,"reason":"manual_count","shown":6,"occurredAtClient":"2026-03-02T05:00:00.000Z","deviceSeq":3,"lastServerTime":null}';
const restock1 =
  '{"eventId":"0195876c-2b80-7000-8000-000000000002","schemaVersion":1,"itemType":"market_item","itemId":9,"kind":"restock","quantity":6,"reason":"barcode_scan","shown":2,"note":"Door sticks","photoIds":["ab"],"visitId":"0195876c-2b80-7000-8000-0000000000aa","location":{"type":"market","id":1},"position":{"latitude":40.7,"longitude":-74},"occurredAtClient":"2026-03-02T05:00:01.000Z","deviceSeq":4,"lastServerTime":"2026-03-02T04:59:00.000Z"}';
const completed1 =
  '{"type":"stop-completed","routeId":1,"stopId":10,"eventId":"0195876c-2b80-7000-8000-000000000003","schemaVersion":1,"deviceSeq":5,"lastServerTime":null,"occurredAtClient":"2026-03-02T05:10:00.000Z"}';
const skipped1 =
  '{"type":"stop-skipped","routeId":1,"stopId":11,"reason":"Closed","eventId":"0195876c-2b80-7000-8000-000000000004","schemaVersion":1,"deviceSeq":6,"lastServerTime":null,"occurredAtClient":"2026-03-02T05:11:00.000Z"}';
const visit1 =
  '{"eventId":"0195876c-2b80-7000-8000-000000000005","schemaVersion":1,"occurredAtClient":"2026-03-02T05:20:00.000Z","deviceSeq":7,"lastServerTime":null,"type":"visit","visitId":"0195876c-2b80-7000-8000-0000000000aa","location":{"type":"vending_machine","id":3},"routeId":1,"stopId":10,"openedAtClient":"2026-03-02T05:00:00.000Z","note":"Key stuck","bagNumber":"B-1","refunds":"2.50","photoIds":[],"position":null,"closedAtClient":null}';

test('a stock event of version 1 is the movement it always was', () => {
  const bare = { note: null, photoIds: [], visitId: null, location: null, position: null };
  expect(stockEvent.parse(JSON.parse(count1))).toEqual({ ...JSON.parse(count1), ...bare });
  expect(stockEvent.parse(JSON.parse(restock1))).toEqual(JSON.parse(restock1));
  expect(stockEvent.parse(JSON.parse(count1))).toMatchObject({ kind: 'count', quantity: 4, itemId: 7 });
  expect(stockEvent.parse(JSON.parse(restock1))).toMatchObject({ kind: 'restock', quantity: 6, itemId: 9 });
});

test.each([
  ['a step', completed1],
  ['a skipped stop', skipped1],
  ['a visit', visit1],
])('%s of version 1 says what it always said', (_name, line) => {
  expect(fieldEvent.parse(JSON.parse(line))).toMatchObject(JSON.parse(line));
});

test('what a later version writes is not read as something else', () => {
  for (const line of [count1, restock1]) {
    expect(stockEvent.safeParse({ ...JSON.parse(line), schemaVersion: 99 }).success).toBe(false);
  }
});
