import * as contract from '../../contract/payments.ts';
import { sumsInMemory } from '../db/statements/sums-in-memory.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { toldAlike } from '../scope/service.ts';
import { listPayments, paymentPlaces, paymentReport } from './service.ts';

export function paymentEndpoints(deps: Deps): Handled[] {
  /** On the replica, where there is one. */
  const read = <T>(work: (on: Deps) => Promise<T>): Promise<T> => deps.database.reading((db) => work({ ...deps, db }));
  const readSums = <T>(name: string, query: unknown, work: (on: Deps) => Promise<T>): Promise<T> =>
    read((on) => toldAlike(on, { everything: true }, { asked: [name, query], read: () => work(on) }));
  return [
    handle(contract.getPaymentReport, ({ query }) => readSums('payments', query, (on) => paymentReport(on, query))),
    handle(contract.listPayments, ({ query }) => read((on) => listPayments(on, query))),
    handle(contract.listPaymentPlaces, ({ query }) =>
      readSums('payments by place', query, (on) => sumsInMemory(on.db, (db) => paymentPlaces({ ...on, db }, query))),
    ),
  ];
}
