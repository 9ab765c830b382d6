import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { addressId, id, instant, pathId, wholeNumber } from './shapes.ts';

/** Longest file taken as text or base64 in one call, characters: within the largest body of a call. */
export const maxDexCharacters = 900_000;

/**
 * baseline: counted from here on. sales: booked what was sold since. older: read before the last accepted one. damaged:
 * the checksum does not hold. The last two are kept and never booked.
 */
export const dexOutcome = z.enum(['baseline', 'sales', 'older', 'damaged']);
export type DexOutcome = z.output<typeof dexOutcome>;

const counter = z.int().nullable().meta({ description: 'As the machine counts; null: not reported' });
const sold = z.object({ vends: z.int(), value: counter });

export const dexReadSummary = z
  .object({
    id,
    readAt: instant,
    receivedAt: instant,
    origin: z.string(),
    outcome: dexOutcome,
    crc: z.enum(['ok', 'mismatch', 'absent']),
    notes: z.array(z.string()),
    booked: z.int().meta({ description: 'Sales booked from it' }),
    soldVends: z.int().nullable().meta({ description: 'Vends since the reading before; null: none to compare with' }),
  })
  .meta({ id: 'DexReadSummary' });
export type DexReadSummary = z.output<typeof dexReadSummary>;

const dexSelection = z.object({
  id: z.string(),
  name: z.string(),
  price: counter,
  vends: counter,
  value: counter,
  testVends: counter,
  freeVends: counter,
  soldOutAt: z.string().nullable(),
  sold: sold.nullable().meta({ description: 'Since the accepted reading before' }),
});

export const dexReadDetail = dexReadSummary
  .extend({
    serial: z.string(),
    model: z.string(),
    software: z.string(),
    machineTime: z.string().nullable().meta({ description: 'Machine clock, local' }),
    decimalPoint: z
      .int()
      .nullable()
      .meta({ description: 'Decimals of every money value; null: unknown, do not show money' }),
    currency: z.string(),
    vends: counter,
    value: counter,
    cash: counter,
    cashless: counter,
    cashInBox: counter,
    tubeValue: counter,
    tubes: z.array(z.object({ tube: z.string(), coinValue: counter, coins: counter, full: z.boolean().nullable() })),
    temperature: z.number().nullable().meta({ description: 'Degrees Celsius' }),
    powerCuts: counter,
    events: z.array(
      z.object({
        code: z.string(),
        detail: z.string().nullable(),
        description: z.string().nullable(),
        at: z.string().nullable(),
        durationMin: counter,
        count: counter,
        active: z.boolean().nullable(),
      }),
    ),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    selections: z.array(dexSelection),
    soldTotal: z
      .object({ all: sold.nullable(), cash: sold.nullable(), cashless: sold.nullable() })
      .nullable()
      .meta({ description: 'By the machine’s totals, since the accepted reading before' }),
  })
  .meta({ id: 'DexReadDetail' });
export type DexReadDetail = z.output<typeof dexReadDetail>;

export const listDexReads = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id/dex-reads',
  summary: 'DEX files of a machine, the latest read first',
  needs: 'stock:read',
  params: pathId,
  query: z.object({
    cursor: addressId.optional(),
    limit: wholeNumber(1, 100).default(20),
  }),
  reply: z.object({ reads: z.array(dexReadSummary), total: z.int(), next: id.nullable() }),
});

export const getDexRead = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id/dex-reads/:readId',
  summary: 'What one DEX file says, and what was sold since the one before',
  needs: 'stock:read',
  params: pathId.extend({ readId: addressId }),
  reply: dexReadDetail,
});

export const addDexRead = endpoint({
  method: 'POST',
  path: '/api/vending-machines/:id/dex-reads',
  summary: 'Hand in a DEX file of a machine; the same file twice changes nothing',
  needs: 'stock:count',
  params: pathId,
  body: z.strictObject({
    content: z
      .string({ error: 'Choose a DEX file' })
      .min(1, 'The file is empty')
      .max(maxDexCharacters, 'The file is too large for a DEX file'),
    encoding: z.enum(['text', 'base64']).default('text'),
    readAt: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When the machine was read; without it the machine’s own clock counts' }),
  }),
  reply: z.object({
    id,
    outcome: z.enum([...dexOutcome.options, 'duplicate']),
    message: z.string().meta({ description: 'What came of it, for the person' }),
  }),
});

const link = z.object({ selection: z.string().min(1).max(20), slotNumber: z.string().min(1).max(20) });

export const getDexLinks = endpoint({
  method: 'GET',
  path: '/api/vending-machines/:id/dex-links',
  summary: 'Which slot each selection of a machine’s DEX files is',
  needs: 'stock:read',
  params: pathId,
  reply: z.object({
    selections: z.array(
      z.object({
        selection: z.string(),
        name: z.string(),
        slotNumber: z.string().nullable().meta({ description: 'Null: no slot has this number' }),
        chosen: z.boolean().meta({ description: 'A person said so' }),
      }),
    ),
    slots: z.array(z.object({ slotNumber: z.string(), productName: z.string() })),
  }),
});

export const saveDexLinks = endpoint({
  method: 'PUT',
  path: '/api/vending-machines/:id/dex-links',
  summary: 'Say which slot selections are; those left out go by their own number',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ links: z.array(link).max(500, 'A machine has at most 500 selections') }),
  reply: z.object({ links: z.array(link) }),
});
