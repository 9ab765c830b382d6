import { dexFile } from '../cantaloupe/dex-file.ts';
import { type Fleet, type FleetSale, lastCallOf, type Place, salesOf } from '../fleet.ts';
import { escaped } from './soap.ts';

/** What real senders do beside the standard's text; switched on one by one. */
export const quirks = [
  'blank_times',
  'no_product_id',
  'empty_code',
  'per_line',
  'clock_ahead',
  'brought_back',
] as const;
export type Quirk = (typeof quirks)[number];

type Wish = { fleet: Fleet; now: Date; quirks: ReadonlySet<Quirk> };

const dayMs = 86_400_000;
const attribute = (name: string, value: string): string => ` ${name}="${escaped(value)}"`;

export const marketId = (place: Place): string => `3371:${place.site.id}`;
export const kioskId = (place: Place): string => `KIOSK-${String(place.site.id).padStart(4, '0')}`;
export const teleId = (place: Place): string => `TELE-${place.number}`;

function timeText(at: Date, wish: Wish): string {
  const shown = wish.quirks.has('clock_ahead') ? new Date(at.getTime() + dayMs) : at;
  const local = new Date(shown.getTime() - 5 * 3_600_000).toISOString().slice(0, -1);
  return wish.quirks.has('blank_times') ? `${local.replace('T', ' ')}0000 -05:00` : `${local}-05:00`;
}

export function kiosks(wish: Wish): string {
  const rows = wish.fleet.markets.map((place) => {
    return `<Kiosk${attribute('MarketID', marketId(place))}${attribute('KioskID', kioskId(place))}${attribute('KioskSN', place.serialNumber)}${attribute('LastSync', timeText(lastCallOf(place, wish.now), wish))}${attribute('CatalogVersion', '1')}/>`;
  });
  return `<KiosksCollection>${rows.join('')}</KiosksCollection>`;
}

const tenderTypes: Record<string, string> = { cash: 'CASH', card: 'CARD', mobile: 'EXTERNAL', account: 'ACCOUNT' };

/** The sales of a span at all markets, oldest first. */
export function marketSales(fleet: Fleet, from: Date, to: Date): FleetSale[] {
  return fleet.markets
    .flatMap((place) => salesOf(fleet, place, from, to))
    .filter((sale) => !sale.failed)
    .sort((a, b) => a.at.getTime() - b.at.getTime() || a.number - b.number);
}

export function sales(rows: readonly FleetSale[], wish: Wish): string {
  return `<Sales>${rows.map((sale) => saleXml(sale, wish)).join('')}</Sales>`;
}

function saleXml(sale: FleetSale, wish: Wish): string {
  const { product } = sale.line;
  const price = Number(product.price).toFixed(4);
  const shown = wish.quirks.has('per_line') ? Number(sale.amount).toFixed(4) : price;
  const productId = wish.quirks.has('no_product_id') ? '' : attribute('ProductID', `1:${product.barcode}`);
  const code = wish.quirks.has('empty_code') ? '' : product.barcode;
  const item = `<Item${productId}${attribute('Code', code)}${attribute('Quantity', String(sale.quantity))}${attribute('Price', shown)}${attribute('Total', shown)}/>`;
  // A deposit of ten cents goes back with what is bought.
  const back = wish.quirks.has('brought_back')
    ? '<Item Code="DEPOSIT" Quantity="1" Price="-0.1000" Total="-0.1000"/>'
    : '';
  const total = back === '' ? sale.amount : (Number(sale.amount) - 0.1).toFixed(2);
  const type = tenderTypes[sale.method] ?? 'CARD';
  const tender = `<Tender${attribute('Type', type)}${attribute('Amount', total)}><UserData/></Tender>`;
  return `<Sale${attribute('MarketID', marketId(sale.place))}${attribute('KioskID', kioskId(sale.place))}${attribute('SaleID', `S${sale.number}`)}${attribute('SaleTime', timeText(sale.at, wish))}><Summary${attribute('Price', total)}${attribute('Total', total)}/><Items>${item}${back}</Items><Tenders>${tender}</Tenders></Sale>`;
}

export function accountDeposits(wish: Wish): string {
  const day = wish.now.toISOString().slice(0, 10);
  const rows = wish.fleet.markets.slice(0, 3).map((place) => {
    const at = new Date(`${day}T00:10:00Z`);
    return `<ConsumerTransaction${attribute('MarketID', marketId(place))}${attribute('KioskID', kioskId(place))} ConsumerID="C1" Type="CARD"${attribute('TransactionID', `TOP-${day}-${place.site.id}`)}${attribute('TransactionTime', timeText(at, wish))} Amount="20.0000"/>`;
  });
  return `<ConsumerTransactions>${rows.join('')}</ConsumerTransactions>`;
}

export function collections(wish: Wish): string {
  const day = wish.now.toISOString().slice(0, 10);
  const rows = wish.fleet.markets.slice(0, 2).map((place) => {
    const at = new Date(`${day}T00:05:00Z`);
    return `<CashCollection${attribute('MarketID', marketId(place))}${attribute('KioskID', kioskId(place))}${attribute('CollectionTime', timeText(at, wish))} Amount="81.25" CollectedBy="driver" Reference="BAG-1"/>`;
  });
  return `<CashCollections>${rows.join('')}</CashCollections>`;
}

export function consumers(wish: Wish): string {
  const at = timeText(wish.now, { ...wish, quirks: new Set() });
  return `<Consumers><Consumer ProviderID="MMS365" ConsumerID="C1" FirstName="PAT" LastName="EXAMPLE" Balance="20.0000"${attribute('BalanceDateTime', at)}/></Consumers>`;
}

export function devices(wish: Wish): string {
  const rows = [...wish.fleet.machines, ...wish.fleet.markets].map((place) => {
    const { site } = place;
    const isMarket = site.type === 'market';
    const told: [string, string][] = [
      ['DeviceID', isMarket ? kioskId(place) : teleId(place)],
      ['DeviceType', isMarket ? 'kiosk' : 'vending_machine'],
      ...(isMarket ? ([['MarketID', marketId(place)]] as [string, string][]) : []),
      ['AssetNumber', place.number],
      ['Name', site.name],
      ['SerialNumber', place.serialNumber],
      ['Model', site.model?.name ?? 'Kiosk'],
      ['Address', site.address],
      ['City', site.city],
      ['State', site.state],
      ['Firmware', `2.${site.id % 9}`],
      ['Status', 'online'],
      ['LastSeen', timeText(lastCallOf(place, wish.now), wish)],
    ];
    return `<Device${told.map(([name, value]) => attribute(name, value)).join('')}/>`;
  });
  return `<Devices>${rows.join('')}</Devices>`;
}

export function alerts(wish: Wish): string {
  const day = wish.now.toISOString().slice(0, 10);
  const rows = wish.fleet.machines.slice(0, 4).map((place, index) => {
    const code = ['EJC', 'ENK', 'EGS', 'OCF'][index] ?? 'EGS';
    const at = new Date(`${day}T00:0${index}:00Z`);
    return `<Alert${attribute('AlertID', `${day}-${place.site.id}-${code}`)}${attribute('DeviceID', teleId(place))} AlertType="equipment"${attribute('Code', code)}${attribute('Message', `Event ${code} at ${place.number}`)} Severity="${index === 0 ? 'high' : 'medium'}"${attribute('RaisedAt', timeText(at, wish))}/>`;
  });
  return `<Alerts>${rows.join('')}</Alerts>`;
}

/** S2S-DEX: files of some machines, their line ends left to what XML makes of them. */
export function dexTransmissions(places: readonly Place[], wish: Wish): string {
  const rows = places.map((place) => {
    const file = dexFile(wish.fleet, place, wish.now, 'normal').toString('latin1');
    const at = timeText(wish.now, wish);
    return `<DexTransmission${attribute('DeviceID', teleId(place))}${attribute('TransmitTime', at)} GMTOffSet="-5"><DexCollection><DEX${attribute('ReadDateTime', at)} DexReason="SCHEDULED" ResponseCode="OK" GMTOffSet="-5"><RawDEX><![CDATA[${file}]]></RawDEX></DEX></DexCollection></DexTransmission>`;
  });
  return `<DEXList>${rows.join('')}</DEXList>`;
}
