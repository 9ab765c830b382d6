import { minimumAboveCapacity, type SlotLevels } from '../../domain/machine.ts';
import { isGtin, normalBarcode } from '../../domain/product.ts';
import { slotKey, slotMeant } from '../../domain/trays.ts';
import { fromHundredths } from '../../domain/units.ts';
import { defaultCapacity, type ImportedSlot, saveImportedSlots } from '../inventory/service.ts';
import { saveImportedProducts } from '../products/service.ts';
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
import { type Aliases, type Columns, machineNumberNames, matchColumns, requireAny } from './file/columns.ts';
import type { SourceRow } from './file/read-table.ts';
import { findMachineIds, findMachineIdsByName, findSlots, type SlotsOfMachine } from './queries.ts';
import { flagCut, inChunks, type Longest, namedColumns, type Outcome, type Run, wholeRows } from './run.ts';

const chunkSize = 1000;
const maxCapacity = 10_000;

export const planogramAliases = {
  machine: [...machineNumberNames, 'machine', 'machinename', 'device'],
  slotNumber: ['slot', 'slotnumber', 'coil', 'selection', 'mcoil', 'position', 'selectioncode', 'column', 'coilnumber'],
  productName: [
    'product',
    'productname',
    'item',
    'itemname',
    'itemdescription',
    'productdescription',
    'name',
    'description',
  ],
  productCode: ['barcode', 'productcode', 'upc', 'gtin', 'ean', 'sku'],
  price: ['price', 'sellprice', 'vendprice', 'mprice', 'unitprice', 'retailprice', 'sellingprice', 'retail'],
  cost: ['cost', 'unitcost'],
  category: ['category', 'productcategory'],
  brand: ['brand', 'brandname'],
  maxQuantity: ['capacity', 'maxquantity', 'max', 'depth'],
  parQuantity: ['par', 'parquantity', 'parlevel', 'target'],
  minimumQuantity: ['minimum', 'minimumquantity', 'min', 'low', 'lowlevel'],
  currentQuantity: ['onhand', 'currentquantity', 'quantity', 'qty', 'instock', 'stock', 'inventory'],
} satisfies Aliases<string>;

const levels = ['maxQuantity', 'parQuantity', 'minimumQuantity', 'currentQuantity'] as const;

type PlanogramField = keyof typeof planogramAliases;
const longest = { productName: 255, productCode: 50, category: 100, brand: 100 } satisfies Longest<PlanogramField>;
type ReadSlot = Omit<ImportedSlot, 'machineId'> & { row: SourceRow; machine: string };
/** `seen`: the slots that the file spoke of so far, by machine and number, each with where it first did. */
type Reading = { run: Run; columns: Columns<PlanogramField>; seen: Map<string, { line: number; machine: string }> };

/** Imports what stands in which slot. Machines must exist; products are found in the catalogue or added to it. */
export async function importPlanogram(run: Run): Promise<Outcome> {
  const columns = matchColumns<PlanogramField>(run.table, planogramAliases, run.map);
  for (const field of ['machine', 'slotNumber', 'productName', 'price'] as const) {
    requireAny(run.table, columns, [field]);
  }
  const reading: Reading = { run, columns, seen: new Map() };
  for await (const slots of inChunks(readSlots(run, columns), chunkSize)) await saveSlots(reading, slots);
  return { columns: namedColumns(columns, Object.keys(planogramAliases) as PlanogramField[]) };
}

async function* readSlots(run: Run, columns: Columns<PlanogramField>): AsyncGenerator<ReadSlot> {
  for await (const row of wholeRows(run, columns)) {
    const slot = readSlot(columns, row, run.operator.currency);
    if (typeof slot !== 'string') yield slot;
    else run.tally.refuse(row.line, slot);
  }
}

/** Where there are letters, it may be their capitals alone that differ. */
function repeated(slotNumber: string, line: number): string {
  if (!/\p{L}/u.test(slotNumber)) return `repeats the slot of line ${line}`;
  return `repeats slot ${slotNumber} of line ${line}: capitals make no other number. Leave one of them out, or number it anew`;
}

function readSlot(columns: Columns<PlanogramField>, row: SourceRow, currency: string): ReadSlot | string {
  const read = (field: PlanogramField): string => squeezed(columns.read(row, field));
  const needed = (['machine', 'slotNumber', 'productName', 'price'] as const).find((field) => read(field) === '');
  if (needed) return `has no ${columns.nameOf(needed) ?? needed}`;
  if (read('slotNumber').length > 20) return 'has a slot number of more than 20 characters';
  if (isRounded(read('productCode'))) return roundedReason(read('productCode'));
  const price = readMoney(read('price'));
  if (price === null || price < 0n) return `has a price that is no amount: ${read('price').slice(0, 40)}`;
  const other = otherCurrency(read('price'), currency);
  if (other) return `has a price in ${other}, where yours are in ${currency}`;
  const cost = otherCurrency(read('cost'), currency) ? null : readMoney(read('cost'));
  const [capacity, par, minimum, onHand] = levels.map((field) => ({
    text: read(field),
    value: read(field) === '' ? null : readWhole(read(field)),
  }));
  const numbers = [capacity, par, minimum, onHand].find((one) => one?.text !== '' && !isLevel(one?.value ?? null));
  if (numbers) return `has a level that is no whole number from 0 to ${maxCapacity}: ${numbers.text.slice(0, 40)}`;
  const maxQuantity = capacity?.value || null;
  const parQuantity = par?.value || null;
  if (maxQuantity !== null && parQuantity !== null && parQuantity > maxQuantity) {
    return `has a par level of ${parQuantity} in a slot that holds ${maxQuantity}`;
  }
  const quantity = onHand?.value ?? null;
  if (quantity !== null && quantity > (maxQuantity ?? maxCapacity)) {
    return `has ${quantity} units in a slot that holds ${maxQuantity ?? maxCapacity}`;
  }
  const code = fitting(read('productCode'), longest.productCode);
  const padded = code !== null && /^\d{9,11}$/.test(code) ? code.padStart(12, '0') : code;
  return {
    row,
    machine: read('machine'),
    slotNumber: read('slotNumber'),
    productName: fitting(read('productName'), longest.productName) ?? '',
    productCode: code,
    normalCode: padded !== null && isGtin(padded) ? normalBarcode(padded) : null,
    price: fromHundredths(price),
    cost: cost === null ? null : fromHundredths(cost),
    category: fitting(read('category'), longest.category),
    brand: fitting(read('brand'), longest.brand),
    maxQuantity,
    parQuantity,
    minimumQuantity: minimum?.value ?? null,
    quantity,
  };
}

function isLevel(value: number | null): boolean {
  return value !== null && value >= 0 && value <= maxCapacity;
}

async function saveSlots(reading: Reading, slots: readonly ReadSlot[]): Promise<void> {
  const { run } = reading;
  const placed = await placeSlots(reading, slots);
  await addProducts(run, placed);
  const { created, updated } = await saveImportedSlots(run.tx, placed, run.at);
  run.tally.count({ created, updated, unchanged: placed.length - created - updated });
}

/** The slots that the lines mean; a line that means none, or one that was spoken of before, is refused. */
async function placeSlots(reading: Reading, slots: readonly ReadSlot[]): Promise<ImportedSlot[]> {
  const { run } = reading;
  const names = [...new Set(slots.map((slot) => slot.machine))];
  const byId = await findMachineIds(run.tx, names);
  const byName = await findMachineIdsByName(run.tx, names);
  const idOf = (machine: string): number | undefined => byId.get(machine) ?? byName.get(machine.toLowerCase());
  const known = await findSlots(run.tx, [...new Set(names.flatMap((name) => idOf(name) ?? []))]);
  return slots.flatMap(({ row, machine, ...slot }): ImportedSlot[] => {
    const machineId = idOf(machine);
    const there: SlotsOfMachine = (machineId !== undefined && known.get(machineId)) || new Map();
    const placed = placeOf(reading, { machine, machineId, slot, there });
    if ('refused' in placed) {
      run.tally.refuse(row.line, placed.refused);
      return [];
    }
    reading.seen.set(keyOf(placed), { line: row.line, machine });
    known.set(placed.machineId, there.set(placed.slotNumber, levelsAfter(slot, there.get(placed.slotNumber) ?? null)));
    flag(reading, row);
    return [{ ...slot, ...placed }];
  });
}

type Place = { machineId: number; slotNumber: string };
type ToldLevels = Pick<ImportedSlot, 'slotNumber' | 'maxQuantity' | 'minimumQuantity'>;
/** `there`: the slots that the machine has by now. */
type Told = { machine: string; machineId: number | undefined; slot: ToldLevels; there: SlotsOfMachine };

const keyOf = ({ machineId, slotNumber }: Place): string => `${machineId} ${slotNumber}`;

function placeOf({ seen }: Reading, { machine, machineId, slot, there }: Told): Place | { refused: string } {
  if (machineId === undefined) return { refused: `names a machine that does not exist: ${machine.slice(0, 100)}` };
  const told = slot.slotNumber;
  const numbers = new Set(there.keys());
  const alike = [...numbers].filter((number) => slotKey(number) === slotKey(told));
  const slotNumber = alike.length === 0 ? told : slotMeant(numbers, told);
  if (slotNumber === null) return { refused: `may mean slot ${alike.join(' or ')}: write it as the machine has it` };
  const place = { machineId, slotNumber };
  const before = seen.get(keyOf(place));
  if (!before) {
    const refused = minimumRefused(slot, there.get(slotNumber) ?? null);
    return refused === null ? place : { refused };
  }
  const isSameName = before.machine.toLowerCase() === machine.toLowerCase();
  return { refused: isSameName ? repeated(told, before.line) : 'repeats a slot under another name of its machine' };
}

/** What a line makes of a slot; `before` is null for a new one. */
function levelsAfter({ maxQuantity, minimumQuantity }: ToldLevels, before: SlotLevels | null): SlotLevels {
  return {
    maxQuantity: maxQuantity ?? before?.maxQuantity ?? defaultCapacity,
    minimumQuantity: minimumQuantity ?? before?.minimumQuantity ?? 0,
  };
}

function minimumRefused(slot: ToldLevels, before: SlotLevels | null): string | null {
  const levels = levelsAfter(slot, before);
  if (minimumAboveCapacity({ slotNumber: slot.slotNumber, ...levels }, before) === null) return null;
  const { minimumQuantity: minimum, maxQuantity: capacity } = levels;
  if (slot.minimumQuantity === null) return `has a capacity of ${capacity} for a slot with a minimum of ${minimum}`;
  if (slot.maxQuantity !== null || before) return `has a minimum of ${minimum} in a slot that holds ${capacity}`;
  return `has a minimum of ${minimum} and no capacity: a new slot holds ${capacity} then`;
}

/** What of a line is taken otherwise than it is written. */
function flag({ run, columns }: Reading, row: SourceRow): void {
  flagCut(run, columns, row, longest);
  const other = otherCurrency(squeezed(columns.read(row, 'cost')), run.operator.currency);
  if (other) run.tally.flag(row.line, foreignReason('cost', other, run.operator.currency));
}

/** Products that the catalogue lacks are added to it; those it has stay as they are. */
async function addProducts(run: Run, slots: readonly ImportedSlot[]): Promise<void> {
  const wanted = new Map(slots.map((slot) => [slot.normalCode ?? slot.productName.toLowerCase(), slot]));
  const unknown = { name: null, brand: null, category: null, unitPrice: null, unitCost: null, caseSize: null };
  await saveImportedProducts(
    run.tx,
    [...wanted.values()].map((slot) => ({
      ...unknown,
      packageSize: null,
      barcode: slot.normalCode,
      fallbackName: slot.productName,
    })),
    run.at,
  );
}
