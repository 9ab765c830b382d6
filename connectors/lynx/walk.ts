import { z } from 'zod';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { VendorError } from '../connector.ts';
import type { Lynx } from './client.ts';
import { id, type Rec } from './read.ts';

/**
 * Walks the machines of an operator, a page at a time. Lynx pages by offset and tells no total, so: pages overlap by a
 * few rows (a machine deleted meanwhile moves the rest up), a short page is not the end, only an empty one asked for
 * twice is, and a page that comes again is asked for once more instead of skipping what should have come.
 */
export const machinesAPage = 25;
const overlap = 3;
const mostRepeats = 5;

const position = z.object({
  offset: z.int().min(0),
  /** First machine of the page before. */
  first: z.string().nullable(),
  repeats: z.int().min(0),
  /** The last machines of the page before, which the next page begins with again. */
  tail: z.array(z.string()),
});
type Position = z.output<typeof position>;
const start: Position = { offset: 0, first: null, repeats: 0, tail: [] };

export type Walked = { machines: { id: string; rec: Rec }[]; cursor: Position; more: boolean };

/** @throws VendorError 'bad-data' when the same page comes again and again. */
export async function nextMachines(
  lynx: Lynx,
  told: unknown,
  { system, actorId }: { system: IntegrationSystem; actorId: string | null },
): Promise<Walked> {
  const at = position.catch(start).parse(told ?? start);
  const wish = { offset: at.offset, limit: machinesAPage, actorId };
  const first = await lynx.machines(wish);
  const page = first.length ? first : await lynx.machines(wish);
  if (page.length === 0) return { machines: [], cursor: start, more: false };
  const machines = page.flatMap((rec) => {
    const machineId = id(rec, 'MachineID');
    return machineId ? [{ id: machineId, rec }] : [];
  });
  const firstId = machines[0]?.id ?? null;
  if (firstId !== null && firstId === at.first) {
    if (at.repeats >= mostRepeats) {
      throw new VendorError(system, 'bad-data', 'Nayax keeps sending the same page of machines. Try again later.');
    }
    return { machines: [], cursor: { ...at, repeats: at.repeats + 1 }, more: true };
  }
  const step = page.length >= machinesAPage ? page.length - overlap : page.length;
  const tail = machines.slice(-overlap).map((one) => one.id);
  return {
    machines: machines.filter((one) => !at.tail.includes(one.id)),
    cursor: { offset: at.offset + step, first: firstId, repeats: 0, tail },
    more: true,
  };
}
