import type { VendorDevice, VendorSale } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';
import { integrationConfigs } from '../integrations/tables.ts';

/** Nayax and MoMa, each with one configuration: two systems that tell of the same machines. */
export function buildBothSystems(db: Db): Promise<{ id: number; system: string }[]> {
  return db
    .insert(integrationConfigs)
    .values([
      { system: 'nayax', name: 'One', publicId: 'a'.repeat(32) },
      { system: 'moma', name: 'Other', publicId: 'b'.repeat(32) },
    ])
    .returning({ id: integrationConfigs.id, system: integrationConfigs.system });
}

/** A machine as a partner tells of it. */
export function deviceTold(fields: Partial<VendorDevice> = {}): VendorDevice {
  return {
    vendorId: 'D1',
    locationType: 'vending_machine',
    integrationId: 'nayax:1',
    machineNumber: null,
    name: 'Lobby machine',
    serialNumber: null,
    model: null,
    firmware: null,
    address: '1 Partner Road',
    city: 'Trenton',
    state: 'NJ',
    zipCode: null,
    latitude: '40.2171',
    longitude: '-74.7429',
    status: 'online',
    lastSeenAt: null,
    removed: false,
    details: {},
    raw: {},
    ...fields,
  };
}

/** A sale as a partner tells of it: one piece of 1.50, an hour before the tests' usual now. */
export function saleTold({ configId = 1, ...fields }: Partial<VendorSale> & { configId?: number } = {}): VendorSale {
  const vendorId = fields.vendorId ?? 'S1';
  return {
    vendorId,
    ledger: { source: `vendor:${configId}`, transactionId: vendorId, line: null },
    deviceId: 'D1',
    integrationId: null,
    orderId: null,
    slotNumber: null,
    productName: 'Cola',
    productCode: null,
    category: null,
    quantity: 1,
    unitPrice: '1.50',
    amount: '1.50',
    tax: null,
    fee: null,
    currency: 'USD',
    paymentMethod: 'Credit Card',
    cardType: null,
    lastFour: null,
    status: 'completed',
    soldAt: new Date('2026-03-12T14:00:00Z'),
    soldAtText: null,
    processedAt: null,
    version: null,
    movesStock: true,
    details: {},
    raw: {},
    ...fields,
  };
}
