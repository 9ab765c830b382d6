import { createHash } from 'node:crypto';
import { countersOf } from '../../connectors/dex/counters.ts';
import { type DexDifference, difference, nextBaseline } from '../../connectors/dex/difference.ts';
import { readDex } from '../../connectors/dex/read-dex.ts';
import type { DexReading } from '../../connectors/dex/reading.ts';
import type { DexOutcome } from '../../contract/dex.ts';
import { instantIn } from '../../domain/time.ts';
import { raiseAlerts } from '../alerts/service.ts';
import type { Db } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { noteMachinesSeen } from '../machines/service.ts';
import { recordSales } from '../sales/service.ts';
import { getOperator } from '../settings/service.ts';
import { salesBetween } from './booking.ts';
import { type EventAlerts, eventAlertsOf, raiseEventAlerts } from './event-alerts.ts';
import {
  findKnownRead,
  findSameSerial,
  findSlots,
  insertRead,
  lockDexMachine,
  toldBySystems,
  updateDexMachine,
} from './queries.ts';

export type DexFile = {
  machineId: number;
  bytes: Uint8Array;
  /** When the carrier read the machine; null: by the machine's own clock. */
  readAt: Date | null;
  /** `upload`, or a partner system and its configuration, e.g. `nama_vdi:3`. */
  origin: string;
  receivedBy: number | null;
};

export type Recorded = {
  id: number;
  outcome: DexOutcome | 'duplicate';
  booked: number;
  /** Faults told by a file that is believed. */
  alerts: EventAlerts;
};

const noAlerts: EventAlerts = { raised: [], over: [] };

/** A machine clock further off than this is told. */
const skewMinutes = 10;

/**
 * Takes a DEX file of a machine in the caller's transaction: keeps its bytes, books what was sold since the last accepted
 * one, and warns of counters that fell. The same bytes again change nothing; an older file and one whose checksum does
 * not hold are kept and never booked. Throws DexError for bytes that are no DEX file.
 */
export async function recordRead(tx: Db, file: DexFile, now: Date): Promise<Recorded> {
  const reading = readDex(file.bytes);
  const contentHash = createHash('sha256').update(file.bytes).digest('hex');
  const machine = await lockDexMachine(tx, file.machineId);
  const known = await findKnownRead(tx, file.machineId, contentHash);
  if (known !== null) return { id: known, outcome: 'duplicate', booked: 0, alerts: noAlerts };
  const { timeZone, currency } = await getOperator(tx);
  const { readAt, notes } = timeOf(reading, file.readAt, { timeZone, now });
  const others = await findSameSerial(tx, reading.serial.slice(0, 100), file.machineId);
  if (others.length) notes.push(`The serial number ${reading.serial} also comes from ${others.join(', ')}.`);
  if (reading.currency !== null && reading.currency !== currency) {
    notes.push(`The machine counts in ${reading.currency}: its money is not added to sales in ${currency}.`);
  }
  const isDamaged = reading.crc === 'mismatch';
  const counters = countersOf(reading, readAt.getTime());
  const found = isDamaged ? null : difference(machine.counters ?? null, counters);
  const booking = {
    machineId: file.machineId,
    contentHash,
    readAt,
    links: machine.links,
    currency,
    told: await toldBySystems(tx, file.machineId, now),
    slots: new Set((await findSlots(tx, file.machineId)).map(({ slotNumber }) => slotNumber)),
  };
  const sales = found?.kind === 'sales' ? salesBetween(found, reading, booking) : [];
  if (sales.length) await recordSales(tx, sales, now);
  const outcome = outcomeOf(found);
  const id = await insertRead(tx, {
    machineId: file.machineId,
    contentHash,
    bytes: Buffer.from(file.bytes),
    serialNumber: reading.serial.slice(0, 100),
    readAt,
    receivedAt: now,
    origin: file.origin.slice(0, 50),
    receivedBy: file.receivedBy,
    outcome,
    notes: [...notes, ...noteOf(found)],
    crc: reading.crc,
    sold: found,
    booked: sales.length,
  });
  let alerts = noAlerts;
  if (found && found.kind !== 'ignored') {
    const kept = nextBaseline(machine.counters ?? null, counters, found);
    await updateDexMachine(tx, file.machineId, { counters: kept, readId: id });
    const before = machine.counters ? new Date(machine.counters.readAtMs) : null;
    alerts = eventAlertsOf(reading, { readAt, before, instantOf: clockOf(reading, readAt, timeZone) });
    await raiseEventAlerts(tx, file.machineId, alerts);
  }
  await warnOf(tx, file.machineId, found);
  // A file that a person carried says nothing of the machine's own connection.
  if (!isDamaged && file.receivedBy === null) await noteMachinesSeen(tx, [{ id: file.machineId, at: readAt }]);
  await publish(tx, { topic: 'machines', ids: [file.machineId] });
  return { id, outcome, booked: sales.length, alerts };
}

function outcomeOf(found: DexDifference | null): DexOutcome {
  if (!found) return 'damaged';
  return found.kind === 'ignored' ? 'older' : found.kind;
}

/** When a machine was read: by the carrier, else by the machine's clock, which is never believed to be in the future. */
function timeOf(
  reading: DexReading,
  carrier: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): { readAt: Date; notes: string[] } {
  const clock = reading.machineTime === null ? null : localInstant(reading.machineTime, timeZone);
  const latest = new Date(now.getTime() + skewMinutes * 60_000);
  const notes: string[] = [];
  const compared = carrier ?? (clock && clock > latest ? now : null);
  if (clock && compared) {
    const minutes = Math.round((clock.getTime() - compared.getTime()) / 60_000);
    if (Math.abs(minutes) > skewMinutes) {
      notes.push(`The machine’s clock is ${spanOf(Math.abs(minutes))} ${minutes > 0 ? 'ahead' : 'behind'}.`);
    }
  }
  const told = carrier ?? clock ?? now;
  return { readAt: told > latest ? now : told, notes };
}

function spanOf(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
}

/** Instants by the machine's clock, put right by how far it was off at the reading. */
function clockOf({ machineTime }: DexReading, readAt: Date, timeZone: string): (told: string) => Date {
  const ahead = machineTime === null ? 0 : localInstant(machineTime, timeZone).getTime() - readAt.getTime();
  return (told) => new Date(localInstant(told, timeZone).getTime() - ahead);
}

function localInstant(text: string, timeZone: string): Date {
  const [day = '', time = ''] = text.split('T');
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return new Date(instantIn(timeZone, day, hours * 60 + minutes).getTime() + seconds * 1000);
}

function noteOf(found: DexDifference | null): string[] {
  if (found?.kind !== 'baseline') return [];
  if (found.reason === 'other-machine') return ['The serial number is another one: counted anew from here.'];
  if (found.reason === 'counters-fell')
    return [`Counters of ${found.fell.slice(0, 5).join(', ')} fell: counted anew from here.`];
  return [];
}

async function warnOf(tx: Db, machineId: number, found: DexDifference | null): Promise<void> {
  const [note] = noteOf(found);
  if (!note) return;
  const message = `DEX: ${note} Was the control board replaced or reset?`;
  await raiseAlerts(tx, [{ machineId, slotId: null, alertType: 'dex_counters', message, severity: 'medium' }]);
}
