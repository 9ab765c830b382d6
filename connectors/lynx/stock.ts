import type { VendorStock } from '../../domain/integration.ts';
import { amount, id, instant, number, type Rec, text } from './read.ts';
import { placeOf } from './sale.ts';

type Sight = { machineId: string; products: readonly Rec[]; picks: readonly Rec[]; lastFilledAt: Date | null };

/**
 * Selections of a machine: its planogram (`machineProducts`) joined with what the pick list believes. A selection that
 * stands twice counts once, the pick list's own row first; one without a PAR has no capacity.
 */
export function readStock({ machineId, products, picks, lastFilledAt }: Sight): VendorStock[] {
  const picked = new Map(picks.map((pick) => [keyOf(pick), pick]));
  const planned = new Map(products.map((product) => [keyOf(product), product]));
  const keys = new Set([...picked.keys(), ...planned.keys()]);
  keys.delete('');
  return [...keys].map((key) => {
    const pick = picked.get(key);
    const product = planned.get(key);
    return stockOf(
      machineId,
      key,
      [pick, product].filter((rec) => rec !== undefined),
      lastFilledAt,
    );
  });
}

/** What the buyer presses, else the controller's number, else Lynx's own number of the selection. */
function keyOf(rec: Rec): string {
  return text(rec, 'PACode', 'OperatorButtonCode') ?? id(rec, 'MDBCode', 'SelectionID', 'MachineProductID') ?? '';
}

function stockOf(machineId: string, key: string, sources: readonly Rec[], filledAt: Date | null): VendorStock {
  const first = <T>(read: (rec: Rec) => T | null): T | null => {
    for (const rec of sources) {
      const value = read(rec);
      if (value !== null) return value;
    }
    return null;
  };
  const par = first((rec) => number(rec, 'PAR'));
  const onHand = first((rec) => number(rec, 'OnHandStock'));
  const missing = first((rec) => number(rec, 'MissingStock', 'MissingStockByMDB', 'MissingStockByDEX'));
  const byMdb = first((rec) => number(rec, 'MissingStockByMDB'));
  const byDex = first((rec) => number(rec, 'MissingStockByDEX'));
  return {
    vendorId: `${machineId}:${key}`,
    deviceId: machineId,
    integrationId: placeOf(machineId),
    slotNumber: key,
    productCode: first((rec) => text(rec, 'MDBCode', 'NayaxProductID')),
    productName: first((rec) => text(rec, 'ProductName', 'DEXProductName')) ?? `Selection ${key}`,
    quantity: Math.trunc(onHand ?? Math.max(0, (par ?? 0) - (missing ?? par ?? 0))),
    capacity: par !== null && par > 0 ? Math.trunc(par) : null,
    minimum: first((rec) => number(rec, 'VendOutAlertThreshold', 'ProductMinimumPickQTY')) ?? 0,
    price: first((rec) => amount(rec, 'CashPrice')) ?? first((rec) => amount(rec, 'MachinePrice', 'RetailPrice')),
    lastFilledAt: filledAt ?? first((rec) => instant(rec, 'DEXMissingStockLastUpdated')),
    removed: false,
    version: null,
    details: {
      missingByMdb: byMdb,
      missingByDex: byDex,
      disagrees: byMdb !== null && byDex !== null && byMdb !== byDex,
    },
    raw: { sources },
  };
}
