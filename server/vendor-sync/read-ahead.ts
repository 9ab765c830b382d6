import type { PullPage } from '../../connectors/connector.ts';
import type { VendorBatch } from '../../domain/integration.ts';

/** A page with all that belongs to it, and the cursor that it was asked with. */
export type WholePage = { from: unknown; batch: VendorBatch; cursor: unknown; more: boolean };

/** Pages that are asked for and not yet taken. More would only hold more in memory: storing is what takes long. */
const mostPages = 4;

/**
 * Reads pages ahead of whoever takes them, in their order: the next is asked for as soon as it is known where it begins,
 * so that neither what a page waits for nor what storing it takes holds up the others. A failure is met where its page is
 * taken, which may be never.
 */
export function readAhead(ask: (cursor: unknown) => Promise<PullPage>, start: unknown): () => Promise<WholePage> {
  const asked: Promise<WholePage>[] = [];
  let next: { cursor: unknown } | null = { cursor: start };
  const askOn = (): void => {
    if (next === null || asked.length >= mostPages) return;
    const from = next.cursor;
    next = null;
    asked.push(quietly(read(from)));
  };
  const read = async (from: unknown): Promise<WholePage> => {
    const { batch, cursor, more } = await ask(from);
    if (more) next = { cursor };
    askOn();
    return { from, batch: await batch, cursor, more };
  };
  askOn();
  return async () => {
    const first = asked.shift();
    askOn();
    if (!first) throw new Error('There is no page after the last one.');
    return first;
  };
}

function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
