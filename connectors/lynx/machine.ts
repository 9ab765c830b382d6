import type { VendorDevice } from '../../domain/integration.ts';
import { amount, flag, id, instant, number, type Rec, text } from './read.ts';
import { placeOf } from './sale.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Below this reception is weak, in dBm. */
const weakSignal = -95;

/** The device of a machine from the list of devices; found by serial number, because device ids are 0 in places. */
export type Hardware = { bySerial: ReadonlyMap<string, Rec>; byId: ReadonlyMap<string, Rec> };

/** Devices by serial number and by id, without those that say neither. */
export function hardwareOf(devices: readonly Rec[]): Hardware {
  const bySerial = new Map<string, Rec>();
  const byId = new Map<string, Rec>();
  for (const device of devices) {
    const serial = text(device, 'DeviceSerial');
    const deviceId = id(device, 'DeviceID');
    if (serial) bySerial.set(serial, device);
    if (deviceId) byId.set(deviceId, device);
  }
  return { bySerial, byId };
}

type Sight = { machineId: string; machine: Rec; status: Rec | null; hardware: Hardware; now: Date };

/** A machine of Lynx with its status and device. */
export function readMachine({ machineId, machine, status, hardware, now }: Sight): VendorDevice {
  const deviceSerial = text(machine, 'DeviceSerialNumber', 'VPOSSerialNumber');
  const deviceId = id(machine, 'DeviceID');
  const device =
    (deviceSerial && hardware.bySerial.get(deviceSerial)) || (deviceId && hardware.byId.get(deviceId)) || null;
  const seenAt = status ? instant(status, 'LastKeepAliveDateTime') : null;
  return {
    vendorId: machineId,
    locationType: 'vending_machine',
    integrationId: placeOf(machineId),
    machineNumber: text(machine, 'MachineNumber'),
    name: text(machine, 'MachineName') ?? `Machine ${machineId}`,
    serialNumber: text(machine, 'SerialNumber') ?? deviceSerial,
    model: device ? text(device, 'HardwareVersion', 'DeviceFamily', 'ModemModel') : null,
    firmware: device ? text(device, 'FWVersionNumber') : null,
    ...addressOf(machine),
    status: stateOf(machine, device, seenAt, now),
    lastSeenAt: seenAt,
    removed: false,
    details: {
      deviceId: deviceId ?? machineId,
      deviceSerial: (device && text(device, 'DeviceSerial')) ?? deviceSerial,
      vposVersion: device ? text(device, 'VposVersionNumber') : null,
      // No public field tells of a battery.
      batteryLevel: null,
      connectivity: connectivityOf(status, seenAt, now),
      ...readingsOf(status),
    },
    raw: { machine, status, device },
  };
}

function addressOf(machine: Rec) {
  const latitude = coordinate(machine, 90, 'GeoLatitude', 'Latitude');
  const longitude = coordinate(machine, 180, 'GeoLongitude', 'Longitude');
  const street = text(machine, 'GeoAddress', 'SearchAddress');
  const isUnset = latitude === null || longitude === null || (Number(latitude) === 0 && Number(longitude) === 0);
  return {
    address: street,
    city: text(machine, 'GeoCity'),
    state: text(machine, 'GeoState'),
    zipCode: text(machine, 'GeoZipCode'),
    latitude: isUnset ? null : latitude,
    longitude: isUnset ? null : longitude,
  };
}

function coordinate(machine: Rec, most: number, ...names: string[]): string | null {
  const value = number(machine, ...names);
  return value !== null && Math.abs(value) <= most ? String(value) : null;
}

function stateOf(machine: Rec, device: Rec | null, seenAt: Date | null, now: Date): VendorDevice['status'] {
  const isOff = flag(machine, 'MachineStatusBit') === false || (device && number(device, 'StatusID') === 2);
  if (isOff) return 'inactive';
  return seenAt && now.getTime() - seenAt.getTime() > dayMs ? 'offline' : 'active';
}

function connectivityOf(status: Rec | null, seenAt: Date | null, now: Date): string {
  if (!seenAt) return 'connected';
  const age = now.getTime() - seenAt.getTime();
  if (age > dayMs) return 'disconnected';
  const signal = status ? number(status, 'LastReceptionLevel(RSSI)') : null;
  return age > 2 * hourMs || (signal !== null && signal < weakSignal) ? 'weak' : 'connected';
}

function readingsOf(status: Rec | null) {
  if (!status) return { temperature: null, lastService: null };
  const visits = [instant(status, 'LastVisitDateTime'), instant(status, 'MachineStockRefilDateTime')].flatMap((at) =>
    at ? [at.getTime()] : [],
  );
  return {
    /** Degrees Celsius. */
    temperature: temperatureOf(status),
    lastService: visits.length ? new Date(Math.max(...visits)).toISOString() : null,
    lastRefilled: instant(status, 'MachineStockRefilDateTime')?.toISOString() ?? null,
    lastTransactionAt: instant(status, 'LastTransactionDateTime')?.toISOString() ?? null,
    cashBox: amount(status, 'MachineCashBoxLevel'),
    receptionDbm: number(status, 'LastReceptionLevel(RSSI)'),
  };
}

function temperatureOf(status: Rec): number | null {
  const celsius = number(status, 'TemperatureCelcius', 'TemperatureCelsius');
  if (celsius !== null) return celsius;
  const fahrenheit = number(status, 'TemperatureFahrenheit');
  return fahrenheit === null ? null : Math.round(((fahrenheit - 32) * 50) / 9) / 10;
}
