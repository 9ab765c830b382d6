import { createHash, createHmac } from 'node:crypto';
import { at } from '../../simulator/random.ts';
import { type FleetSale, type Place, salesOf } from '../fleet.ts';
import type { Outgoing, PushWish, World } from '../vendor.ts';
import { eventsOf } from './alerts.ts';
import { bigNumber, deviceSerialOf, machineClock, machineIdOf, timeText, toJson } from './records.ts';
import { brandOf, mdbCodeOf, methods, type Settlement, settlementOf, transactionIdOf } from './sales.ts';

/** Where notifications go, and what they are signed with. */
export type Subscriber = { url: string; merchantId: string; hashCode: string };

const dayMs = 86_400_000;

type Sending = { subscriber: Subscriber; world: World; wish: PushWish };

/** Notifications of the hosted pages: fields signed by SHA-256 over values and hash code. */
export function hostedNotification({ subscriber, world, wish }: Sending): Outgoing {
  const late = wish.variant === 'late' ? 2 * dayMs : 0;
  const fields: Record<string, string> = {
    reply_code: '000',
    reply_desc: 'Success',
    trans_id: String(wish.parameters.transId ?? 7_000_000 + (Math.floor(world.now().getTime() / 1000) % 1_000_000)),
    trans_date: new Date(world.now().getTime() - late).toISOString().slice(0, 19).replace('T', ' '),
    trans_amount: '1.50',
    trans_currency: 'USD',
    trans_order: String(wish.parameters.order ?? 'ORDER-42'),
    payment_details: 'Visa 1234',
    merchant_id: subscriber.merchantId,
  };
  const signed = ['trans_id', 'trans_order', 'reply_code', 'trans_amount', 'trans_currency'].map(
    (name) => fields[name],
  );
  const secret = wish.variant === 'bad_signature' ? 'another hash code' : subscriber.hashCode;
  fields.signature = createHash('sha256')
    .update(`${signed.join('')}${secret}`)
    .digest('base64');
  // The amount as another text: the same number, but not what was signed.
  if (wish.variant === 'tampered') fields.trans_amount = '1.5';
  const body = new URLSearchParams(fields).toString();
  if (wish.parameters.method === 'GET')
    return { url: `${subscriber.url}?${body}`, method: 'GET', headers: {}, body: '' };
  return { url: subscriber.url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
}

/** Numbers of requests by the names that are signed; a refund is told with nothing but what it is of. */
const requests: Readonly<Record<string, number>> = { Sale: 0, Auth: 1, Settlement: 2, Refund: 4 };

/** E-commerce notifications: JSON with a keyed hash over five of its fields; `request` names what was asked of the payment. */
export function ecommerceNotification({ subscriber, world, wish }: Sending): Outgoing {
  const { transId, request = 'Sale' } = wish.parameters;
  const asked = String(request);
  const body: Record<string, unknown> = {
    ...(asked === 'Sale' ? paidByCard : {}),
    NayaxTransactionId: String(transId ?? 20_000_000_000 + (world.now().getTime() % 1_000_000_000)),
    MerchantRequestId: '5fbeb1ba-263f-4fe6-a109-642b562020c9',
    MachineId: '1001316721',
    RequestType: requests[asked] ?? 0,
    RequestDate: world.now().toISOString(),
    IsApproved: true,
  };
  const text = `${body.NayaxTransactionId}:${body.MerchantRequestId}:${body.MachineId}:${asked}:True`;
  const key = wish.variant === 'bad_signature' ? '00'.repeat(32) : subscriber.hashCode;
  body.Hmac = createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');
  if (wish.variant === 'tampered') body.IsApproved = false;
  return jsonTo(subscriber, body, false);
}

const paidByCard = {
  CardInfo: { Brand: 'visa', CardFinalDigits: '4242', ExpiryDate: '03/2030', CardHolderName: 'A. Buyer' },
  PaymentMethod: 'visa',
  Currency: 'USD',
  Amount: '1.97',
};

/** A transaction of the customer's queue, forwarded: keys with blanks, the settlement as it stands now. */
export function transactionMessage(to: Subscriber, sale: FleetSale, seenAt: Date): Outgoing {
  const { place } = sale;
  const { settledAt, settled, authorized } = settlementOf(sale, seenAt);
  const product = {
    'Product(Product Name(MDB Code,PA Code))': `${sale.line.product.name}(${mdbCodeOf(place, sale.line.slotNumber)},${sale.line.slotNumber})`,
    'Product Code in Map': mdbCodeOf(place, sale.line.slotNumber),
    'Product PA Code': sale.line.slotNumber,
    'Product Name': sale.line.product.name,
    'Product Bruto': Number(sale.line.product.price),
  };
  const isCash = sale.method === 'cash';
  return jsonTo(to, {
    TransactionId: bigNumber(transactionIdOf(sale)),
    RemoteStartTransactionId: null,
    PaymentMethodId: isCash ? 3 : 1,
    SiteId: 2,
    MachineTime: machineClock(place, sale.at),
    Void: false,
    MachineId: machineIdOf(place),
    Data: {
      'Card String': isCash ? null : `4000****${String(sale.number % 10_000).padStart(4, '0')}`,
      SeValue: settledAt ? settled : null,
      'Operator Identifier': place.number,
      'Machine Name': place.site.name,
      'Machine AuTime': machineClock(place, sale.at),
      Currency: 'USD',
      Brand: brandOf(sale),
      'Device Number': deviceSerialOf(place),
      'Payment Method Description': methods[sale.method].method,
      'Recognition Description': methods[sale.method].recognition,
      'Card Last 4 Digits': isCash ? null : String(sale.number % 10_000).padStart(4, '0'),
      'Authorization Time': timeText(sale.at, place.site.id),
      'Authorization Value': authorized,
      PayServTransid: isCash ? null : `PS${sale.number}`,
      'Settlement Time': settledAt ? timeText(settledAt, place.site.id, 5) : null,
      'Cancel Type': cancelType({ settledAt, settled, authorized }),
      'Is Multivend': sale.quantity > 1,
      Products: Array.from({ length: sale.quantity }, () => product),
    },
  });
}

/** 255 is a sale that settled, 3 one that was given up; none while it is pending. */
function cancelType({ settledAt, settled }: Settlement): number | null {
  if (!settledAt) return null;
  return settled === 0 ? 3 : 255;
}

function jsonTo(to: Subscriber, body: unknown, isSigned = true): Outgoing {
  const basic = Buffer.from(`${to.merchantId}:${to.hashCode}`).toString('base64');
  return {
    url: to.url,
    headers: { 'content-type': 'application/json', ...(isSigned ? { authorization: `Basic ${basic}` } : {}) },
    body: toJson(body),
  };
}

/** Who forwards the queue: somebody with the wrong password, where that is wished. */
const forwarderOf = ({ subscriber, wish }: Sending): Subscriber =>
  wish.variant === 'bad_signature' ? { ...subscriber, hashCode: 'another hash code' } : subscriber;

/** Transactions of the queue: twice, the newest first, of long ago, or from a forwarder that has the wrong password. */
export function transactionMessages(sending: Sending, places: readonly Place[]): Outgoing[] {
  const { world, wish } = sending;
  const asked = forwarderOf(sending);
  const now = world.now();
  const span = wish.variant === 'late' ? [9 * dayMs, 8 * dayMs] : [dayMs, 0];
  const [from = 0, to = 0] = span;
  const sold = places
    .slice(0, 200)
    .flatMap((place) => salesOf(world.fleet, place, new Date(now.getTime() - from), new Date(now.getTime() - to + 1)))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .slice(-Number(wish.parameters.count ?? 3));
  const inOrder = sold.flatMap((sale) => [
    // The queue tells a sale when it is authorised and again when it settles.
    transactionMessage(asked, sale, sale.at),
    transactionMessage(asked, sale, now),
  ]);
  if (wish.variant === 'duplicate') return inOrder.flatMap((one) => [one, one]);
  return wish.variant === 'reordered' ? inOrder.reverse() : inOrder;
}

export function eventMessages(sending: Sending, places: readonly Place[]): Outgoing[] {
  const { world, wish } = sending;
  const [place] = places.filter((one) => eventsOf(world, one).length > 0);
  const [event] = place ? eventsOf(world, place) : [];
  if (!place || !event) return [];
  const message = jsonTo(forwarderOf(sending), {
    distributorId: '27594',
    operatorId: '2000100001',
    machineId: String(machineIdOf(place)),
    machineName: place.site.name,
    machineNumber: place.number,
    machineSerial: null,
    deviceSerial: deviceSerialOf(place),
    eventSourceId: '6',
    eventSourceName: 'Device',
    eventCode: String(event.code),
    eventName: event.name,
    eventData: event.data,
    eventDateTimeGMT: timeText(event.at, 1),
    eventDateTimeVMC: machineClock(place, event.at),
    enc_ver: '1',
    enc_key: '0'.repeat(32),
  });
  return wish.variant === 'duplicate' ? [message, message] : [message];
}

/** A short DEX file of a machine, written line by line with its checksum. */
export function dexMessage(sending: Sending, places: readonly Place[]): Outgoing {
  const place = at(places, 0);
  const content = [
    'ST*001*0001',
    `ID1*${place.serialNumber}*${place.site.model?.name ?? 'MODEL'}****${place.number}`,
    'ID4*2*840*USD',
    ...place.lines.flatMap((line) => [
      `PA1*${line.slotNumber}*${Math.round(Number(line.product.price) * 100)}*${line.product.name.slice(0, 16)}`,
      'PA2*0*0*0*0',
    ]),
  ];
  const body = content.map((line) => `${line}\r\n`).join('');
  const file = `DXS*NYX0000001*VA*V0/6*1\r\n${body}G85*${checksum(body)}\r\nSE*${content.length + 2}*0001\r\nDXE*1*1\r\n`;
  const stamp = sending.world.now().toISOString().replaceAll(/[-:]/g, '');
  return jsonTo(forwarderOf(sending), {
    HWSerial: deviceSerialOf(place),
    MachineDate: `${stamp.slice(0, 8)} ${stamp.slice(9, 15)}_000`,
    OperatorIdentifier: place.number,
    Origin: 'AUTOMATIC',
    DexData: file,
  });
}

/** CRC-16/ARC as the standard prints it. */
function checksum(text: string): string {
  let crc = 0;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
