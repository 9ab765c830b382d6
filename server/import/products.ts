import { checkDigit } from '../../domain/product.ts';
import { fromHundredths } from '../../domain/units.ts';
import { type ImportedProduct, saveImportedProducts } from '../products/service.ts';
import {
  fitting,
  foreignReason,
  isRounded,
  otherCurrency,
  readMoney,
  readWhole,
  roundedReason,
  squeezed,
} from './file/cells.ts';
import { type Aliases, type Columns, matchColumns, requireAny } from './file/columns.ts';
import { readWritten } from './file/dates.ts';
import type { SourceRow } from './file/read-table.ts';
import { flagCut, type Longest, namedColumns, type Outcome, type Run, wholeRows } from './run.ts';

const chunkSize = 2000;
const gtinLength = 14;
const upcLength = 12;
/** How the USDA's catalogue writes 'none'. */
const notABrand = /^not a branded item$/i;

export const productAliases = {
  barcode: ['barcode', 'gtin', 'gtinupc', 'upc', 'ean', 'upccode', 'eancode', 'gtin14', 'code'],
  name: [
    ...['name', 'productname', 'product', 'description', 'itemname', 'itemdescription', 'productdescription', 'item'],
    'title',
  ],
  shortDescription: ['shortdescription'],
  brand: ['brand', 'brandname'],
  subbrand: ['subbrandname', 'subbrand'],
  owner: ['brandowner', 'owner', 'manufacturer', 'supplier'],
  category: ['category', 'brandedfoodcategory', 'productcategory', 'group'],
  packageSize: ['packagesize', 'packageweight', 'size', 'netweight'],
  unitPrice: ['unitprice', 'price', 'sellingprice', 'retailprice', 'retail', 'vendprice', 'sellprice'],
  unitCost: ['unitcost', 'cost', 'costprice'],
  caseSize: ['casesize', 'unitspercase', 'caseqty', 'packqty', 'casecount', 'casepack', 'case'],
  shelfLifeDays: ['shelflifedays', 'shelflife', 'keepsdays', 'daystoexpire'],
  modifiedOn: ['modifieddate', 'modifiedon', 'updated', 'lastmodified', 'updatedat'],
} satisfies Aliases<string>;

type ProductField = keyof typeof productAliases;
type Read = (field: ProductField) => string;

const longest = { name: 255, brand: 100, category: 100, packageSize: 100 } satisfies Longest<ProductField>;

type ReadProduct = ImportedProduct & { line: number; modifiedOn: string; foreign: string[] };

/** Imports the catalogue. A GTIN names one product for ever: known ones are updated, never doubled. */
export async function importProducts(run: Run): Promise<Outcome> {
  const columns = matchColumns<ProductField>(run.table, productAliases, run.map);
  requireAny(run.table, columns, ['barcode', 'name']);
  const newest = new Map<string, ReadProduct>();
  for await (const row of wholeRows(run, columns)) {
    const product = readProduct(columns, row, run.operator.currency);
    if (typeof product === 'string') {
      run.tally.refuse(row.line, product);
      continue;
    }
    flagCut(run, columns, row, longest);
    for (const reason of product.foreign) run.tally.flag(row.line, reason);
    keepNewest(run, newest, product);
  }
  await saveProducts(run, [...newest.values()]);
  return { columns: namedColumns(columns, Object.keys(productAliases) as ProductField[]) };
}

/** Of several rows about one product the latest revision counts; of the same day the later row. */
function keepNewest(run: Run, newest: Map<string, ReadProduct>, product: ReadProduct): void {
  const key = product.barcode?.padStart(gtinLength, '0') ?? `name ${(product.name ?? '').toLowerCase()}`;
  const before = newest.get(key);
  if (!before) {
    newest.set(key, product);
    return;
  }
  const isNewer = product.modifiedOn >= before.modifiedOn;
  if (isNewer) newest.set(key, product);
  run.tally.count({ repeated: 1 });
  run.tally.flag(
    isNewer ? before.line : product.line,
    'stands in this file once more, with a later revision or further down: that one counts',
  );
}

async function saveProducts(run: Run, products: readonly ReadProduct[]): Promise<void> {
  for (let at = 0; at < products.length; at += chunkSize) {
    const chunk = products.slice(at, at + chunkSize);
    for (const product of chunk) {
      if (product.name === null) run.tally.flag(product.line, 'no name: built from brand, category and size');
    }
    const { created, updated } = await saveImportedProducts(
      run.tx,
      chunk.map(({ line: _line, modifiedOn: _modifiedOn, foreign: _foreign, ...product }) => product),
      run.at,
    );
    run.tally.count({ created, updated, unchanged: chunk.length - created - updated });
  }
}

function readProduct(columns: Columns<ProductField>, row: SourceRow, currency: string): ReadProduct | string {
  const read: Read = (field) => {
    const text = squeezed(columns.read(row, field));
    return notABrand.test(text) ? '' : text;
  };
  const barcode = readBarcode(read('barcode'));
  if (typeof barcode !== 'string') return barcode.reason;
  const name = fitting(read('name'), longest.name);
  if (barcode === '' && name === null) return 'has neither a barcode nor a name';
  const price = optionalMoney(read('unitPrice'), 'price', currency);
  const cost = optionalMoney(read('unitCost'), 'cost', currency);
  if (price.problem ?? cost.problem) return price.problem ?? cost.problem ?? '';
  const caseSize = readWhole(read('caseSize'));
  return {
    line: row.line,
    barcode: barcode || null,
    name,
    fallbackName: fitting(builtName(read), longest.name) ?? barcode,
    brand: fitting(read('brand') || read('owner'), longest.brand),
    category: fitting(read('category'), longest.category),
    unitPrice: price.amount,
    unitCost: cost.amount,
    caseSize: caseSize !== null && caseSize > 0 && caseSize <= 10_000 ? caseSize : null,
    shelfLifeDays: readDays(read('shelfLifeDays')),
    packageSize: fitting(read('packageSize'), longest.packageSize),
    modifiedOn: readWritten(read('modifiedOn'))?.day ?? '',
    foreign: [price.foreign, cost.foreign].filter((reason) => reason !== undefined),
  };
}

const mostShelfDays = 3650;

function readDays(cell: string): number | null {
  const days = readWhole(cell);
  return days !== null && days > 0 && days <= mostShelfDays ? days : null;
}

/**
 * A GTIN in its usual length: spreadsheets drop leading zeros, and a zero in front never changes the check digit. Other
 * codes (letters in them) stay as they are.
 */
function readBarcode(cell: string): string | { reason: string } {
  if (isRounded(cell)) return { reason: roundedReason(cell) };
  if (/^[=@+]/.test(cell)) return { reason: `has a formula for a barcode: ${cell.slice(0, 40)}` };
  if (!/^\d+$/.test(cell)) return cell.length > 50 ? { reason: 'has a barcode of more than 50 characters' } : cell;
  if (cell.length > gtinLength) return { reason: `has a barcode of ${cell.length} digits; a GTIN has at most 14` };
  if (/^0+$/.test(cell)) return { reason: 'has a barcode of zeros only' };
  const full = cell.padStart(gtinLength, '0');
  const right = checkDigit(full.slice(0, -1));
  if (Number(full.at(-1)) !== right) {
    return { reason: `has the barcode ${cell}, whose check digit is wrong: ${right} would be right` };
  }
  return cell.length === 8 ? cell : cell.padStart(upcLength, '0');
}

/** Brand, kind and size in words, where the source has no name. */
function builtName(read: Read): string {
  if (read('shortDescription')) return read('shortDescription');
  const brand = [read('brand') || read('owner'), read('subbrand')].filter(Boolean).join(' ');
  const what = [brand, read('category')].filter(Boolean).join(' - ');
  return read('packageSize') ? `${what}, ${read('packageSize')}` : what;
}

type Money = { amount: string | null; problem: string | null; foreign?: string };

/** Money of a product is told in the operator's currency: what is in another one would make its margin wrong. */
function optionalMoney(cell: string, label: string, currency: string): Money {
  if (cell === '') return { amount: null, problem: null };
  const amount = readMoney(cell);
  if (amount === null || amount < 0n) return { amount: null, problem: `has a ${label} that is no amount: ${cell}` };
  const other = otherCurrency(cell, currency);
  if (other) return { amount: null, problem: null, foreign: foreignReason(label, other, currency) };
  return { amount: fromHundredths(amount), problem: null };
}
