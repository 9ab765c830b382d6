import type { VendorAlert, VendorDevice, VendorStock } from '../../domain/integration.ts';
import { decimal, integrationId, type Reading } from './sales.ts';
import { readInstant } from './time.ts';
import { descendants, type XmlNode } from './xml.ts';

const statuses = ['active', 'online', 'offline', 'inactive', 'maintenance'] as const;
type Status = (typeof statuses)[number];
const isStatus = (told: string): told is Status => statuses.some((status) => status === told);

function latest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((at) => at !== null);
  return known.length ? new Date(Math.max(...known.map((at) => at.getTime()))) : null;
}

/** mms-kiosks: a kiosk stands for the market it is in; the standard carries neither address nor coordinates with it. */
export function readKiosks(root: XmlNode, reading: Reading): VendorDevice[] {
  return descendants(root, 'Kiosk').flatMap((node) => {
    const { attributes } = node;
    const { MarketID: market, KioskID: id, KioskSN: serial } = attributes;
    if (!id || !market) {
      reading.refuse('A kiosk without KioskID or MarketID', id ?? '', attributes);
      return [];
    }
    const seen = [attributes.LastSync, attributes.LastTransaction].map((told) => readInstant(told, reading.timeZone));
    return [
      {
        ...placeless,
        vendorId: id.slice(0, 200),
        locationType: 'market' as const,
        integrationId: integrationId(reading.header, market),
        name: attributes.MarketName ?? `Market ${market}`,
        serialNumber: serial ?? null,
        firmware: reading.header.applicationVersion || null,
        status: 'active' as const,
        lastSeenAt: latest(seen),
        details: { deviceType: 'kiosk', marketId: market, catalogVersion: attributes.CatalogVersion ?? null },
        raw: attributes,
      },
    ];
  });
}

const placeless = {
  machineNumber: null,
  model: null,
  address: null,
  city: null,
  state: null,
  zipCode: null,
  latitude: null,
  longitude: null,
  removed: false,
};

const coordinate = (told: string | undefined, most: number): string | null => {
  const value = decimal(told);
  return value !== null && Math.abs(Number(value)) <= most ? value : null;
};

/** x-devices: our own extension of version 2.0. */
export function readDevices(root: XmlNode, reading: Reading): VendorDevice[] {
  return descendants(root, 'Device').flatMap(({ attributes }) => {
    const { DeviceID: id, DeviceType: type = 'vending_machine', Status: status = 'active' } = attributes;
    if (!id) {
      reading.refuse('A device without DeviceID', '', attributes);
      return [];
    }
    const isMarket = type === 'kiosk';
    return [
      {
        vendorId: id.slice(0, 200),
        locationType: isMarket ? ('market' as const) : ('vending_machine' as const),
        integrationId: integrationId(reading.header, (isMarket && attributes.MarketID) || id),
        machineNumber: attributes.AssetNumber ?? null,
        name: attributes.Name ?? id,
        serialNumber: attributes.SerialNumber ?? null,
        model: attributes.Model ?? null,
        firmware: attributes.Firmware ?? null,
        address: attributes.Address ?? null,
        city: attributes.City ?? null,
        state: attributes.State ?? null,
        zipCode: attributes.ZipCode ?? null,
        latitude: coordinate(attributes.Latitude, 90),
        longitude: coordinate(attributes.Longitude, 180),
        status: isStatus(status) ? status : ('active' as const),
        lastSeenAt: readInstant(attributes.LastSeen, reading.timeZone),
        removed: attributes.Removed === 'true',
        details: { deviceType: type, marketId: attributes.MarketID ?? null },
        raw: attributes,
      },
    ];
  });
}

const severities = ['low', 'medium', 'high', 'critical'] as const;

/** x-alerts: our own extension of version 2.0. */
export function readAlerts(root: XmlNode, reading: Reading): VendorAlert[] {
  return descendants(root, 'Alert').flatMap(({ attributes }) => {
    const { AlertID: id, Message: message, DeviceID: device } = attributes;
    const raisedAt = readInstant(attributes.RaisedAt, reading.timeZone);
    if (!id || !message || !raisedAt) {
      reading.refuse('An alert without AlertID, Message or RaisedAt', id ?? '', attributes);
      return [];
    }
    return [
      {
        vendorId: id.slice(0, 200),
        deviceId: device ?? null,
        integrationId: null,
        alertType: attributes.AlertType ?? 'equipment',
        code: attributes.Code ?? null,
        message,
        severity: severities.find((one) => one === attributes.Severity) ?? 'medium',
        raisedAt,
        resolvedAt: readInstant(attributes.ResolvedAt, reading.timeZone),
        raw: attributes,
      },
    ];
  });
}

const wholeNumber = (told: string | undefined): number | null =>
  told !== undefined && /^-?\d{1,6}$/.test(told.trim()) ? Number(told) : null;

/** x-planogram: our own extension of version 2.0. */
export function readPlanogram(root: XmlNode, reading: Reading): VendorStock[] {
  return descendants(root, 'Planogram').flatMap((planogram) => {
    const device = planogram.attributes.DeviceID ?? null;
    return descendants(planogram, 'Slot').flatMap(({ attributes }) => {
      const { SlotNumber: slot, ProductName: name } = attributes;
      const quantity = wholeNumber(attributes.Quantity);
      if (!slot || !name || quantity === null) {
        reading.refuse('A slot without SlotNumber, ProductName or Quantity', slot ?? '', attributes);
        return [];
      }
      return [
        {
          vendorId: `${device ?? ''}:${slot}`.slice(0, 200),
          deviceId: device,
          integrationId: device === null ? null : integrationId(reading.header, device),
          slotNumber: slot.slice(0, 20),
          productCode: attributes.Code ?? null,
          productName: name.slice(0, 255),
          quantity,
          capacity: wholeNumber(attributes.Capacity),
          minimum: wholeNumber(attributes.Minimum),
          price: decimal(attributes.Price),
          lastFilledAt: readInstant(attributes.LastFilled, reading.timeZone),
          removed: false,
          version: null,
          details: {},
          raw: attributes,
        },
      ];
    });
  });
}
