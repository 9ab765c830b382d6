import * as contract from '../../contract/payments.ts';
import { sumsInMemory } from '../db/statements/sums-in-memory.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { listPayments, paymentPlaces, paymentReport } from './service.ts';

export function paymentEndpoints(deps: Deps): Handled[] {
  /** On the replica, where there is one. */
  const read = <T>(work: (on: Deps) => Promise<T>): Promise<T> => deps.database.reading((db) => work({ ...deps, db }));
  return [
    handle(contract.getPaymentReport, ({ query }) => read((on) => paymentReport(on, query))),
    handle(contract.listPayments, ({ query }) => read((on) => listPayments(on, query))),
    handle(contract.listPaymentPlaces, ({ query }) =>
      read((on) => sumsInMemory(on.db, (db) => paymentPlaces({ ...on, db }, query))),
    ),
  ];
}
