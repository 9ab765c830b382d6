import { fromHundredths } from '../../../domain/units.ts';
import type { SalesSums, Sum } from '../report.ts';
import type { SoldRow } from './sale-rows.ts';

type Running = { name: string; lines: number; units: number; amount: bigint };

export type SumsSoFar = {
  add: (sale: SoldRow) => void;
  result: (about: { currency: string; machinesCreated: string[] }) => SalesSums;
};

/** Adds up what was read, exactly, for the report. */
export function newSums(): SumsSoFar {
  const transactions = new Set<string>();
  const machines = new Map<string, Running>();
  const payments = new Map<string, Running>();
  const all: Running = { name: '', lines: 0, units: 0, amount: 0n };
  let firstDay: string | null = null;
  let lastDay: string | null = null;
  return {
    add: (sale) => {
      transactions.add(sale.transactionId ?? `line ${sale.line}`);
      firstDay = firstDay === null || sale.written.day < firstDay ? sale.written.day : firstDay;
      lastDay = lastDay === null || sale.written.day > lastDay ? sale.written.day : lastDay;
      addTo(all, sale);
      addTo(groupOf(machines, sale.machineName ?? sale.deviceId), sale);
      addTo(groupOf(payments, sale.paymentMethod ?? 'unknown'), sale);
    },
    result: (about) => ({
      ...about,
      transactions: transactions.size,
      units: all.units,
      amount: fromHundredths(all.amount),
      firstDay,
      lastDay,
      byMachine: [...machines.values()].map(toSum),
      byPayment: [...payments.values()].map(toSum),
    }),
  };
}

function groupOf(groups: Map<string, Running>, name: string): Running {
  const group = groups.get(name) ?? { name, lines: 0, units: 0, amount: 0n };
  groups.set(name, group);
  return group;
}

function addTo(group: Running, sale: SoldRow): void {
  group.lines += 1;
  group.units += sale.quantity;
  group.amount += sale.total;
}

const toSum = (group: Running): Sum => ({ ...group, amount: fromHundredths(group.amount) });
