import path from 'node:path';
import { fromHundredths } from '../../../domain/units.ts';
import { linesAnew, recordSales, type Sale } from '../../sales/service.ts';
import { type Columns, matchColumns, requireAny } from '../file/columns.ts';
import { instantReader } from '../file/dates.ts';
import { flagCut, inChunks, namedColumns, type Outcome, type Run, wholeRows } from '../run.ts';
import { type Machines, machinesOf } from './sale-machines.ts';
import { withPrices } from './sale-prices.ts';
import {
  foreignMoney,
  longestOfSale,
  type ReadSale,
  readSale,
  type SaleField,
  type SoldRow,
  saleAliases,
} from './sale-rows.ts';
import { newSums } from './sale-sums.ts';

const chunkSize = 1000;
const source = 'import';
/** Each month with a sale gets a partition of its own: a year mistyped must not make thousands. */
const firstDay = '2000-01-01';
const dayMs = 86_400_000;

/** Imports sales. Each gets an id of its own from what the file says, so that a second import adds nothing. */
export async function importSales(run: Run): Promise<Outcome> {
  const columns = matchColumns<SaleField>(run.table, saleAliases, run.map);
  requireAny(run.table, columns, ['soldAt']);
  requireAny(run.table, columns, ['price', 'amount', 'productName', 'productCode', 'slotNumber']);
  const machines = machinesOf(run);
  const sums = newSums();
  const currency = run.given.currency ?? run.operator.currency;
  if (!run.given.currency && !columns.has('currency')) {
    run.tally.note(`The file names no currency: taken as ${currency}. Give the currency if it is another.`);
  }
  const toSale = saleMaker(run, machines, currency);
  if (!columns.has('price') && !columns.has('amount')) {
    run.tally.note('The file names no prices: each sale counts at what its slot or the catalogue asks today.');
  }
  for await (const read of inChunks(readSales(run, columns, currency), chunkSize)) {
    const chunk = await withPrices(run, read, currency);
    await machines.ensure(chunk);
    await saveSales(run, chunk, chunk.map(toSale));
    for (const sold of chunk) if ((sold.currency ?? currency) === currency) sums.add(sold);
  }
  if (currency !== run.operator.currency) {
    run.tally.note(`Sales in ${currency} are kept apart from the sums in ${run.operator.currency}.`);
  }
  return {
    columns: namedColumns(columns, Object.keys(saleAliases) as SaleField[]),
    sales: sums.result({ currency, machinesCreated: machines.created }),
  };
}

async function* readSales(run: Run, columns: Columns<SaleField>, currency: string): AsyncGenerator<ReadSale> {
  const fileMachine = run.given.machine ?? path.basename(run.table.name).replace(/(\.(csv|tsv|txt|xlsx|gz))+$/i, '');
  const lastDay = new Date(run.at.getTime() + dayMs).toISOString().slice(0, 10);
  for await (const row of wholeRows(run, columns)) {
    const sold = readSale(columns, row, fileMachine);
    if (typeof sold === 'string') {
      run.tally.refuse(row.line, sold);
      continue;
    }
    if (sold.written.day < firstDay || sold.written.day > lastDay) {
      run.tally.refuse(row.line, `is dated ${sold.written.day}, which is not between ${firstDay} and today`);
      continue;
    }
    const own = sold.currency ?? currency;
    const other = foreignMoney(columns, row, own);
    if (other) {
      run.tally.refuse(row.line, `has an amount in ${other}, and its currency is ${own}: say which of the two it is`);
      continue;
    }
    const isOther = own !== currency;
    if (isOther) run.tally.flag(row.line, `in ${sold.currency}: not in the sums`);
    // Amounts of two currencies are never added.
    for (const flag of sold.flags) run.tally.flag(row.line, flag, isOther ? undefined : (sold.total ?? undefined));
    flagCut(run, columns, row, longestOfSale);
    yield sold;
  }
}

/** Makes sales of rows. Lines that say exactly the same are numbered: two cups bought at once stay two. */
function saleMaker(run: Run, machines: Machines, currency: string): (sold: SoldRow) => Sale {
  const instantOf = instantReader(run.operator.timeZone);
  const seen = new Map<string, number>();
  return (sold) => {
    const alike = `${sold.deviceId}\n${sold.transactionId ?? sold.fingerprint}\n${sold.transactionId ? (sold.slotNumber ?? '') : ''}`;
    const number = (seen.get(alike) ?? 0) + 1;
    seen.set(alike, number);
    return {
      source,
      transactionId: sold.transactionId ?? `no-id-${sold.fingerprint}`,
      line: `${sold.deviceId}|${sold.transactionId ? (sold.slotNumber ?? '') : ''}|${number}`,
      machineId: machines.idOf(sold.deviceId) ?? null,
      marketId: null,
      slotNumber: sold.slotNumber,
      productName: sold.productName,
      productCode: sold.productCode,
      category: sold.category,
      quantity: sold.quantity,
      price: fromHundredths(sold.price),
      totalAmount: fromHundredths(sold.total),
      currency: sold.currency ?? currency,
      paymentMethod: sold.paymentMethod,
      soldAt: instantOf(sold.written),
      successful: sold.successful,
      refunded: sold.refunded,
      flags: sold.flags.length ? sold.flags.join('; ') : null,
    };
  };
}

async function saveSales(run: Run, sold: readonly SoldRow[], sales: readonly Sale[]): Promise<void> {
  const outcomes = await recordSales(run.tx, await linesAnew(run.tx, sales), run.at);
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === 'recorded') run.tally.count({ created: 1 });
    if (outcome === 'duplicate') run.tally.count({ unchanged: 1 });
    const row = sold[index];
    if (outcome === 'different' && row?.isPricedNow && row.transactionId === null) {
      // What tells such a sale apart is all that its row says: only today's price can differ.
      run.tally.count({ unchanged: 1 });
    } else if (outcome === 'different') {
      run.tally.refuse(row?.line ?? 0, 'says something else about a sale that is stored already: the stored one stays');
    }
  }
}
