import { z } from 'zod';

export { systemLabel } from './integration-labels.ts';

/** The sales systems an operator may connect. */
export const integrationSystem = z.enum(['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi']);
export type IntegrationSystem = z.infer<typeof integrationSystem>;

/**
 * One field of a system's settings. A `secret` is stored encrypted and never sent out again; a `url` is an address a
 * person enters, checked before each connection; a `zone` is the name of a time zone. Messages are what the form says when the field is wrong.
 */
export type SettingsField = {
  name: string;
  label: string;
  kind: 'text' | 'secret' | 'url' | 'choice' | 'switch' | 'zone';
  /** The sentence for an empty field; absent: the field may stay empty. */
  required?: string;
  /** Longest text accepted; 500 where absent. */
  maxLength?: number;
  /** An address that partners call, and we never do: it may be anywhere. */
  theyCall?: boolean;
  options?: readonly { value: string; label: string }[];
  /** What a new configuration starts with. */
  initial?: string | boolean;
  /** A line under the field. */
  help?: string;
};

/** Values of a configuration's settings by field name; secrets opened. */
export type Settings = Readonly<Record<string, string | boolean | null>>;

/** What a connector can fetch; each kind has a cursor of its own. */
export const vendorResource = z.enum(['devices', 'products', 'stock', 'sales', 'alerts']);
export type VendorResource = z.infer<typeof vendorResource>;

/**
 * A machine, market or reader as a system tells of it. Ids are text even where they look like numbers. Coordinates are
 * decimal text and null where the system has none; they are never made up.
 */
export type VendorDevice = {
  /** The system's own id, unique within one configuration. */
  vendorId: string;
  locationType: 'market' | 'vending_machine';
  /** `{system}:{id of the place}`: the same for every configuration that sees this place. Null: a reader without a place. */
  integrationId: string | null;
  /** The operator's own number of the machine (asset number); links before serial number and name do. */
  machineNumber: string | null;
  name: string;
  serialNumber: string | null;
  model: string | null;
  firmware: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zipCode: string | null;
  latitude: string | null;
  longitude: string | null;
  status: 'active' | 'online' | 'offline' | 'inactive' | 'maintenance';
  lastSeenAt: Date | null;
  /** The system no longer has it. */
  removed: boolean;
  /** Fields only this system has, under the names its table has (batteryLevel, connectivity, temperature, ...). */
  details: Readonly<Record<string, unknown>>;
  raw: unknown;
};

export const vendorSaleStatus = z.enum(['completed', 'pending', 'failed', 'refunded']);
export type VendorSaleStatus = z.infer<typeof vendorSaleStatus>;

/**
 * One line of a sale, or one card payment, as a system tells of it. Amounts are decimal text, the sign kept.
 * `ledger` names the sale for good: two connectors that see one sale give the same three values, and it is booked once.
 * Its source begins with a system's key (`acme` or `acme:...`): by it Payment Reports know that the sale is told here, and
 * leave it out of what they take from the ledger.
 */
export type VendorSale = {
  /** The system's id of this row, unique within one configuration; lines of one sale have different ones. */
  vendorId: string;
  ledger: { source: string; transactionId: string; line: string | null };
  /** `VendorDevice.vendorId` or `integrationId` of where it was sold. */
  deviceId: string | null;
  integrationId: string | null;
  orderId: string | null;
  slotNumber: string | null;
  productName: string | null;
  productCode: string | null;
  category: string | null;
  /** Whole pieces, 1 or more. */
  quantity: number;
  /** Per piece. */
  unitPrice: string;
  /** Of this row, taxes as the system has them in its total. */
  amount: string;
  tax: string | null;
  /** What the processor keeps, where it tells. */
  fee: string | null;
  currency: string;
  paymentMethod: string | null;
  cardType: string | null;
  /** Four digits or null; never more of a card number. */
  lastFour: string | null;
  status: VendorSaleStatus;
  soldAt: Date;
  /** The time as the system wrote it, where it has no zone or another one. */
  soldAtText: string | null;
  processedAt: Date | null;
  /** Grows with every change of the record, where the system counts versions; a lower one never overwrites. */
  version: string | null;
  /** False for a row that only accounts for money (a tender, a collection) and took nothing out of stock. */
  movesStock: boolean;
  details: Readonly<Record<string, unknown>>;
  raw: unknown;
};

export type VendorAlert = {
  vendorId: string;
  deviceId: string | null;
  integrationId: string | null;
  alertType: string;
  code: string | null;
  message: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  raisedAt: Date;
  resolvedAt: Date | null;
  raw: unknown;
};

/** A slot or a product at a place with the count the system believes; kept beside ours, never over it. */
export type VendorStock = {
  vendorId: string;
  deviceId: string | null;
  integrationId: string | null;
  slotNumber: string | null;
  productCode: string | null;
  productName: string;
  /** As told: may be below 0. */
  quantity: number;
  capacity: number | null;
  minimum: number | null;
  price: string | null;
  lastFilledAt: Date | null;
  removed: boolean;
  version: string | null;
  details: Readonly<Record<string, unknown>>;
  raw: unknown;
};

/** A product of a system's own catalogue; prices are decimal text. */
export type VendorProduct = {
  vendorId: string;
  name: string;
  sku: string | null;
  barcodes: readonly string[];
  description: string | null;
  category: string | null;
  supplier: string | null;
  price: string | null;
  cost: string | null;
  removed: boolean;
  version: string | null;
  raw: unknown;
};

/** A DEX file that came through a system. */
export type VendorDexRead = {
  deviceId: string | null;
  serialNumber: string | null;
  bytes: Uint8Array;
  /** When the carrier read the machine; null where it does not say. */
  readAt: Date | null;
};

/** What one page of a pull or one delivery holds. Empty lists may be left out. */
export type VendorBatch = {
  devices?: readonly VendorDevice[];
  products?: readonly VendorProduct[];
  stock?: readonly VendorStock[];
  sales?: readonly VendorSale[];
  alerts?: readonly VendorAlert[];
  dexReads?: readonly VendorDexRead[];
  /** Records the system sent that could not be read, each kept for a person with the reason. */
  unreadable?: readonly { reason: string; raw: unknown }[];
};
