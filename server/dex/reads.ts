import type { z } from 'zod';
import { selectionKey } from '../../connectors/dex/counters.ts';
import { DexError } from '../../connectors/dex/dex-error.ts';
import type { SelectionSold } from '../../connectors/dex/difference.ts';
import { readDex } from '../../connectors/dex/read-dex.ts';
import type { DexReading } from '../../connectors/dex/reading.ts';
import type {
  addDexRead,
  DexReadDetail,
  DexReadSummary,
  getDexLinks,
  listDexReads,
  saveDexLinks,
} from '../../contract/dex.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { slotMeant } from '../../domain/trays.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { getMachine } from '../machines/service.ts';
import { getOperator } from '../settings/service.ts';
import {
  findDexMachine,
  findRead,
  findReads,
  findSlots,
  lockDexMachine,
  type ReadRow,
  updateDexMachine,
} from './queries.ts';
import { type Recorded, recordRead } from './record.ts';

type Body = z.output<typeof addDexRead.body>;

const latin1OrUtf8 = (text: string): Buffer => {
  // Each character of a DEX file is one byte; text that has others was decoded as UTF-8 on its way here.
  const isBytes = Array.from(text).every((char) => char <= '\u00ff');
  return Buffer.from(text, isBytes ? 'latin1' : 'utf8');
};

function bytesOf({ content, encoding }: Body): Buffer {
  if (encoding === 'text') return latin1OrUtf8(content);
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) {
    throw new AppError('invalid-input', 'The file is not valid base64.', { fields: { content: 'Not valid base64' } });
  }
  return Buffer.from(content, 'base64');
}

/** Takes a file that a person hands in. */
export async function addRead(
  deps: Deps,
  caller: Caller,
  machineId: number,
  body: Body,
): Promise<Reply<typeof addDexRead>> {
  await getMachine(deps, caller, machineId);
  const now = deps.clock.now();
  const readAt = body.readAt === undefined ? null : new Date(body.readAt);
  const file = { machineId, bytes: bytesOf(body), readAt, origin: 'upload', receivedBy: caller.userId };
  const recorded = await deps.db.transaction(async (tx) => {
    const taken = await readable(recordRead(tx, file, now));
    if (taken.outcome !== 'duplicate') {
      const detail = { readId: taken.id, outcome: taken.outcome };
      await recordAudit(tx, caller, { action: 'dex.add', objectType: 'vending_machine', objectId: machineId, detail });
    }
    return taken;
  });
  return { id: recorded.id, outcome: recorded.outcome, message: inWords(recorded) };
}

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
    throw new AppError('invalid-input', error.message, { fields: { content: error.message } });
  }
}

function inWords({ outcome, booked }: Recorded): string {
  const sentences: Record<Recorded['outcome'], string> = {
    duplicate: 'This file is here already. Nothing changed.',
    baseline: 'Kept. Sales are counted from this reading on.',
    older: 'Kept. It was read before the last one, so nothing is booked from it.',
    damaged: 'Kept. Its checksum does not hold, so nothing is booked from it.',
    sales: booked === 1 ? 'Kept, and 1 sale line booked.' : `Kept, and ${booked} sale lines booked.`,
  };
  return sentences[outcome];
}

export async function listReads(
  deps: Deps,
  caller: Caller,
  machineId: number,
  page: { cursor: number | null; limit: number },
): Promise<Reply<typeof listDexReads>> {
  await getMachine(deps, caller, machineId);
  const { reads, total } = await findReads(deps.db, machineId, { ...page, limit: page.limit + 1 });
  const shown = reads.slice(0, page.limit);
  const next = reads.length > page.limit ? (shown.at(-1)?.id ?? null) : null;
  return { reads: shown.map(toSummary), total, next };
}

function toSummary({ sold, readAt, receivedAt, ...row }: ReadRow): DexReadSummary {
  const vends = sold?.kind === 'sales' ? sold.selections.reduce((sum, one) => sum + one.vends, 0) : null;
  return { ...row, readAt: readAt.toISOString(), receivedAt: receivedAt.toISOString(), soldVends: vends };
}

export async function getRead(
  deps: Deps,
  caller: Caller,
  { id, readId }: { id: number; readId: number },
): Promise<DexReadDetail> {
  await getMachine(deps, caller, id);
  const found = await findRead(deps.db, id, readId);
  if (!found) throw notFound('DEX file');
  const { bytes, ...row } = found;
  const { currency } = await getOperator(deps.db);
  const reading = readDex(bytes);
  const sold = row.sold?.kind === 'sales' ? row.sold : null;
  return {
    ...toSummary(row),
    ...factsOf(reading, currency),
    selections: selectionsOf(reading, sold?.selections ?? []),
    soldTotal: sold && { all: sold.total, cash: sold.cash, cashless: sold.cashless },
  };
}

function factsOf(reading: DexReading, currency: string) {
  const { serial, model, machineTime, vends, value, cash, cashless, tubeValue, temperature, warnings } = reading;
  return {
    serial,
    model,
    software: reading.identity.controlBoard?.software ?? '',
    machineTime,
    decimalPoint: reading.scaleKnown ? reading.decimalPoint : null,
    currency: reading.currency ?? currency,
    vends,
    value,
    cash,
    cashless,
    cashInBox: reading.cashIn?.toBox ?? null,
    tubeValue,
    tubes: reading.tubes.map(({ tube, coinValue, coins, full }) => ({ tube, coinValue, coins, full })),
    temperature,
    powerCuts: reading.powerCuts?.total ?? null,
    events: reading.events.map(({ code, detail, description, at, durationMin, count, active }) => {
      return { code, detail, description, at, durationMin, count, active };
    }),
    warnings,
  };
}

function selectionsOf(reading: DexReading, sold: readonly SelectionSold[]): DexReadDetail['selections'] {
  const found = new Map(sold.map((one) => [selectionKey(one.id), one]));
  return reading.selections.map((one) => {
    const since = found.get(selectionKey(one.id));
    const { id, name, price, vends, value, soldOutAt } = one;
    return {
      id,
      name,
      price,
      vends: vends ?? one.vendsSinceReset,
      value: value ?? one.valueSinceReset,
      testVends: one.test?.vends ?? null,
      freeVends: one.free?.vends ?? null,
      soldOutAt,
      sold: since ? { vends: since.vends, value: since.value } : null,
    };
  });
}

export async function linksOf(deps: Deps, caller: Caller, machineId: number): Promise<Reply<typeof getDexLinks>> {
  await getMachine(deps, caller, machineId);
  const machine = await findDexMachine(deps.db, machineId);
  const slots = await findSlots(deps.db, machineId);
  const known = new Set(slots.map(({ slotNumber }) => slotNumber));
  const selections = Object.entries(machine?.counters?.selections ?? {}).map(([key, { name }]) => {
    const chosen = machine?.links[key];
    const slotNumber = slotMeant(known, chosen ?? key);
    return { selection: key, name, slotNumber, chosen: chosen !== undefined && slotNumber !== null };
  });
  return { selections, slots };
}

/** Says which slot a selection is, from the next reading on; what is booked stays where it is. */
export async function saveLinks(
  deps: Deps,
  caller: Caller,
  machineId: number,
  links: Reply<typeof saveDexLinks>['links'],
): Promise<Reply<typeof saveDexLinks>> {
  await getMachine(deps, caller, machineId);
  return deps.db.transaction(async (tx) => {
    const slots = new Set((await findSlots(tx, machineId)).map(({ slotNumber }) => slotNumber));
    const missing = links.find(({ slotNumber }) => !slots.has(slotNumber));
    if (missing) {
      const sentence = `There is no slot ${missing.slotNumber} in this machine. Choose one of its slots.`;
      throw new AppError('invalid-input', sentence, { fields: { links: sentence } });
    }
    const { links: before } = await lockDexMachine(tx, machineId);
    const after = Object.fromEntries(links.map(({ selection, slotNumber }) => [selectionKey(selection), slotNumber]));
    await updateDexMachine(tx, machineId, { links: after });
    const detail = { before, after };
    await recordAudit(tx, caller, { action: 'dex.links', objectType: 'vending_machine', objectId: machineId, detail });
    await publish(tx, { topic: 'machines', ids: [machineId] });
    return { links };
  });
}
