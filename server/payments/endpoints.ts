import * as contract from '../../contract/payments.ts';
import { sumsInMemory } from '../db/statements/sums-in-memory.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { toldAlike } from '../scope/service.ts';
import { listPayments, paymentPlaces, paymentReport } from './service.ts';

/** A day, a system and a method are one row, whatever the size of the operator. */
const fewRows = (): number => 0;

export function paymentEndpoints(deps: Deps): Handled[] {
  /** On the replica, where there is one. */
  const read = <T>(work: (on: Deps) => Promise<T>): Promise<T> => deps.database.reading((db) => work({ ...deps, db }));
  const readSums = <T>(
    asked: readonly unknown[],
    work: (on: Deps) => Promise<T>,
    rows: (answer: T) => number,
  ): Promise<T> => {
    const ofMany = { rows, from: ['operator', 'vendor_devices', 'markets', 'vending_machines'] };
    return read((on) => toldAlike(on, { everything: true }, { asked, read: () => work(on), ofMany }));
  };
  return [
    handle(contract.getPaymentReport, ({ query }) =>
      readSums(['payments', query], (on) => paymentReport(on, query), fewRows),
    ),
    handle(contract.listPayments, ({ query }) => read((on) => listPayments(on, query))),
    handle(contract.listPaymentPlaces, ({ query }) =>
      readSums(
        ['payments by place', query],
        (on) => sumsInMemory(on.db, (db) => paymentPlaces({ ...on, db }, query)),
        ({ places }) => places,
      ),
    ),
  ];
}
