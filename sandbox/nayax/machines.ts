import { hash, share } from '../../simulator/random.ts';
import { type Place, salesOf } from '../fleet.ts';
import type { World } from '../vendor.ts';
import {
  deviceIdOf,
  deviceSerialOf,
  machineIdOf,
  type Out,
  operatorActorId,
  routeActorOf,
  timeText,
} from './records.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The time of day of visits. */
const visitMs = 11 * 60 * minuteMs;

/** `GET /v1/machines`: what the published page names, and nulls where real machines have them. */
export function machineRecord(world: World, place: Place): Out {
  const { site } = place;
  // One machine in thirty was never put on the map.
  const isPlaced = site.id % 30 !== 17;
  return {
    MachineID: machineIdOf(place),
    ActorID: operatorActorId,
    OperatorActorID: operatorActorId,
    RouteActorID: routeActorOf(world.fleet, place),
    CurrencyID: 2,
    MachineName: site.name,
    MachineNumber: site.id % 41 === 7 ? '' : place.number,
    MachineStatusBit: site.status === 'inactive' ? 0 : 1,
    MachineTypeID: 555_001,
    MachineModelID: 300 + ((site.model?.name.length ?? 0) % 7),
    SerialNumber: place.serialNumber,
    VPOSSerialNumber: `VP${deviceSerialOf(place).slice(-8)}`,
    DeviceSerialNumber: deviceSerialOf(place),
    VPOSID: 90_000 + site.id,
    DeviceID: site.id % 3 === 0 ? 0 : deviceIdOf(place),
    GeoCountry: 840,
    GeoState: site.state,
    GeoCity: site.city,
    GeoAddress: site.address,
    GeoStreetNumber: site.address.split(' ')[0] ?? '',
    GeoZipCode: null,
    GeoLatitude: isPlaced ? site.point.lat : 0,
    GeoLongitude: isPlaced ? site.point.lng : 0,
    MachineTimeZoneOffset: -5,
    Remarks: null,
    DexReadInterval: 30,
    LastUpdated: timeText(dayBefore(world, 3), site.id),
    CreatedOn: '2023-06-01T12:00:00.000Z',
    Refs: { Documentation: `https://lynx.docs.com/machine/${machineIdOf(place)}` },
  };
}

/** `GET /v1/machines/{id}/status`: names with parentheses and misspelt ones as published. */
export function statusRecord(world: World, place: Place): Out {
  const now = world.now();
  const { site } = place;
  const sold = salesOf(world.fleet, place, new Date(now.getTime() - dayMs), now);
  const lastSale = sold.at(-1)?.at ?? null;
  const seen = keepAlive(now, place);
  const isCold = /10|25/.test(site.model?.name ?? '');
  const celsius = isCold ? 3 + Math.round(share(site.id, now.getUTCHours()) * 30) / 10 : null;
  return {
    MachineID: machineIdOf(place),
    CardSalesCounter: sold.filter((sale) => sale.method !== 'cash').length,
    CoinTubesChangeSum: site.id % 4 === 0 ? null : 20 + (site.id % 50),
    MachineCashBoxLevel: site.id % 90,
    Machine24HEventCount: site.id % 5,
    TemperatureFahrenheit: celsius === null ? null : Math.round(celsius * 18 + 320) / 10,
    // Half of the controllers tell Fahrenheit only.
    TemperatureCelcius: celsius !== null && site.id % 2 === 0 ? celsius : null,
    QTYSoldSinceLastVisitDEXSales: sold.length,
    QTYSoldSinceLastVisitOnlineSales: sold.length,
    'LastReceptionLevel(RSSI)': -60 - (hash(site.id, now.getUTCDate()) % 45),
    MachineMQTTStatus: 1,
    LastDEXReadDateTime: timeText(new Date(seen.getTime() - 20 * minuteMs), site.id),
    LastKeepAliveDateTime: timeText(seen, site.id),
    LastTransactionDateTime: lastSale ? timeText(lastSale, site.id) : null,
    LastVisitDateTime: timeText(filledAt(world, place), site.id),
    MachineStockRefilDateTime: timeText(filledAt(world, place), site.id, 2),
    'LastCashCollectionDateTime(UTC)': timeText(new Date(filledAt(world, place).getTime() - 7 * dayMs), site.id),
  };
}

function dayBefore(world: World, days: number): Date {
  return new Date((Math.floor(world.now().getTime() / dayMs) - days) * dayMs);
}

/** Machines report every quarter of an hour. */
function keepAlive(now: Date, { site }: Place): Date {
  // Some have been silent for days, some for hours.
  const isDead = site.id % 37 === 11;
  const isSlow = site.id % 29 === 4;
  const silentMinutes = (isDead && 3 * 24 * 60) || (isSlow && 5 * 60) || site.id % 14;
  const quarter = 15 * minuteMs;
  return new Date(Math.floor(now.getTime() / quarter) * quarter - silentMinutes * minuteMs);
}

/** Every third to fifth day in the morning. */
export function filledAt(world: World, place: Place): Date {
  const every = 3 + (place.site.id % 3);
  // Before the hour of visits the last day that had one is yesterday at the latest.
  const lastDay = Math.floor((world.now().getTime() - visitMs) / dayMs);
  return new Date((lastDay - ((lastDay + place.site.id) % every)) * dayMs + visitMs);
}

/** `GET /v1/devices`. */
export function deviceRecord(world: World, place: Place): Out {
  const { site } = place;
  return {
    // As in the vendor's own test system: the serial number is the key.
    DeviceID: site.id % 3 === 0 ? 0 : deviceIdOf(place),
    DeviceSerial: deviceSerialOf(place),
    DeviceDescription: site.id % 2 === 0 ? 'VPOS Touch' : 'Onyx',
    FWVersionNumber: `4.0.${site.id % 4}.${10 + (site.id % 30)}`,
    VposVersionNumber: `2009-rc${String(site.id % 9).padStart(2, '0')}`,
    HardwareVersion: site.id % 2 === 0 ? 'VPOS Touch 4.13' : 'Onyx 2.1',
    ModemModel: 'UE910-EUD',
    DeviceFamily: site.id % 2 === 0 ? 'VPOS' : 'Onyx',
    BoardSerial: `B${deviceSerialOf(place).slice(-7)}`,
    IMEI: null,
    SimCardID: null,
    StatusID: site.status === 'inactive' ? 2 : 1,
    LastUpdated: timeText(dayBefore(world, 1), site.id),
    IsDeviceExists: true,
    ActorID: operatorActorId,
  };
}
