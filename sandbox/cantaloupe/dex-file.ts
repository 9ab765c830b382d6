import { type Fleet, isSameLine, type Place, salesOf } from '../fleet.ts';
import { deviceOf, localParts } from './rows.ts';

const dayMs = 86_400_000;
/** Counters begin here, so that they only grow. */
const startedDaysAgo = 60;

export type DexVariant = 'normal' | 'bad_crc' | 'truncated' | 'reset';

/** The audit file of a machine at an instant, with the sums of what was sold until then. */
export function dexFile(fleet: Fleet, place: Place, at: Date, variant: DexVariant): Buffer {
  const start = new Date(Math.floor(at.getTime() / dayMs) * dayMs - startedDaysAgo * dayMs);
  const since = variant === 'reset' ? new Date(at.getTime() - dayMs) : start;
  const sold = salesOf(fleet, place, since, at).filter((sale) => !sale.failed);
  const cents = (sales: typeof sold): number =>
    sales.reduce((sum, sale) => sum + Math.round(Number(sale.amount) * 100), 0);
  const units = (sales: typeof sold): number => sales.reduce((sum, sale) => sum + sale.quantity, 0);
  const cash = sold.filter((sale) => sale.method === 'cash');
  const card = sold.filter((sale) => sale.method !== 'cash');
  const selections = place.lines.flatMap((line) => {
    const ofLine = sold.filter((sale) => isSameLine(sale.line, line));
    const price = Math.round(Number(line.product.price) * 100);
    return [
      `PA1*${line.slotNumber}*${price}**${line.capacity}`,
      `PA2*${units(ofLine)}*${cents(ofLine)}*${units(ofLine)}*${cents(ofLine)}`,
    ];
  });
  const content = [
    'ST*001*0001',
    `ID1*${place.serialNumber}*${place.site.model?.name ?? 'VENDOR'}****${place.number}`,
    'ID4*2*840*USD',
    `ID5*${machineClock(at, fleet.timeZone)}`,
    `CB1*${deviceOf(place)}*READER*1.0.7`,
    `VA1*${cents(sold)}*${units(sold)}*${cents(sold)}*${units(sold)}`,
    `CA2*${cents(cash)}*${units(cash)}*${cents(cash)}*${units(cash)}`,
    `DA2*${cents(card)}*${units(card)}*${cents(card)}*${units(card)}`,
    ...selections,
    ...events(place, at, fleet.timeZone),
  ]
    .map((line) => `${line}\r\n`)
    .join('');
  const crc = crcOf(Buffer.from(content, 'latin1')) ^ (variant === 'bad_crc' ? 0x0101 : 0);
  const count = content.split('\r\n').length + 1;
  const closing = `G85*${crc.toString(16).toUpperCase().padStart(4, '0')}\r\nSE*${count}*0001\r\nDXE*1*1\r\n`;
  const whole = `DXS*USA0000001*VA*V0/6*1\r\n${content}${closing}`;
  return Buffer.from(variant === 'truncated' ? whole.slice(0, Math.floor(whole.length * 0.6)) : whole, 'latin1');
}

/** A machine's clock shows the time of its place, and no zone: day and time as two elements. */
function machineClock(at: Date, timeZone: string): string {
  const { date, time24 } = localParts(at, timeZone);
  const [month, day, year = ''] = date.split('/');
  return `${year.slice(2)}${month}${day}*${time24.slice(0, 5).replace(':', '')}`;
}

/** Some machines have a fault: a coil that jammed an hour ago, or a product that is low. */
function events(place: Place, at: Date, timeZone: string): string[] {
  const when = machineClock(new Date(at.getTime() - 3_600_000), timeZone);
  if (place.site.id % 5 === 2) return [`EA1*EJC_${place.lines[0]?.slotNumber ?? '1'}*${when}`];
  return place.site.id % 5 === 1 ? [`EA2*ELE_${place.lines[1]?.slotNumber ?? '1'}*1*4**1`] : [];
}

/** CRC-16/ARC, bit by bit. */
function crcOf(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((crc ^ (byte >> bit)) & 1) === 1;
      crc = isOdd ? (crc >> 1) ^ 0xa001 : crc >> 1;
    }
  }
  return crc;
}
