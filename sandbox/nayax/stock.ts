import { hash } from '../../simulator/random.ts';
import { type Line, type Place, salesOf } from '../fleet.ts';
import type { World } from '../vendor.ts';
import { filledAt } from './machines.ts';
import { machineIdOf, type Out, timeText } from './records.ts';
import { mdbCodeOf } from './sales.ts';

/** A write is not read back at once. */
const staleMs = 30_000;

type Seen = { line: Line; par: number; missing: number; missingByDex: number };

/** What Nayax believes: filled at the last visit, less what it saw sold; the machine's own counters say otherwise here and there. */
function seenStock(world: World, place: Place): Seen[] {
  const since = writtenAt(world, place) ?? filledAt(world, place);
  const sold = new Map<string | null, number>();
  for (const sale of salesOf(world.fleet, place, since, world.now())) {
    if (!sale.failed) sold.set(sale.line.slotNumber, (sold.get(sale.line.slotNumber) ?? 0) + sale.quantity);
  }
  return place.lines.map((line, index) => {
    const mark = hash(place.site.id, index);
    const par = mark % 50 === 3 ? 0 : line.capacity;
    const missing = Math.min(par, sold.get(line.slotNumber) ?? 0);
    return { line, par, missing, missingByDex: mark % 20 === 1 ? Math.min(par, missing + 1 + (mark % 2)) : missing };
  });
}

/** When somebody told Lynx that the machine is full; a write of the last half minute is not seen yet. */
function writtenAt(world: World, place: Place): Date | null {
  const at = world.state.get(`filled:${machineIdOf(place)}`);
  return at instanceof Date && world.now().getTime() - at.getTime() > staleMs ? at : null;
}

/** `GET /v1/machines/{id}/machineProducts`; `withoutLast`: a selection was just taken out of the planogram. */
export function productRecords(world: World, place: Place, withoutLast: boolean): Out[] {
  const records = seenStock(world, place).map(({ line, par, missing, missingByDex }) => {
    const price = Number(line.product.price);
    const mdb = mdbCodeOf(place, line.slotNumber);
    return {
      MachineProductID: place.site.id * 1_000 + mdb,
      NayaxProductID: 700_000 + line.product.id,
      MDBCode: mdb,
      PACode: line.slotNumber,
      PCCode: null,
      PAR: par,
      ProductMinimumPickQTY: 0,
      VendOutAlertThreshold: mdb % 6 === 0 ? null : line.minimum,
      CashPrice: mdb % 9 === 0 ? null : price,
      CreditCardPrice: Math.round((price + 0.1) * 100) / 100,
      PrePaidCardPrice: null,
      MachinePrice: price,
      RetailPrice: price,
      DEXProductName: line.product.name.slice(0, 16),
      MissingStockByDEX: missingByDex,
      MissingStockByMDB: missing,
      DEXMissingStockLastUpdated: timeText(filledAt(world, place), place.site.id, mdb),
      OperatorButtonCode: null,
      SelectionVendOutBit: par > 0 && missing >= par,
      LastUpdated: timeText(filledAt(world, place), mdb),
    };
  });
  // One machine in forty has a selection twice.
  const doubled = place.site.id % 40 === 12 ? [...records, ...records.slice(0, 1)] : records;
  return withoutLast ? doubled.slice(0, -1) : doubled;
}

/** `GET /v1/machines/{id}/pickList`. */
export function pickRecords(world: World, place: Place): Out[] {
  return seenStock(world, place).map(({ line, par, missing }) => ({
    SelectionID: mdbCodeOf(place, line.slotNumber),
    ProductName: line.product.name,
    MDBCode: mdbCodeOf(place, line.slotNumber),
    PACode: line.slotNumber,
    PAR: par,
    MissingStock: missing,
    // Older pick lists tell only what is missing.
    OnHandStock: place.site.id % 6 === 0 ? null : par - missing,
    CashPrice: Number(line.product.price),
  }));
}
