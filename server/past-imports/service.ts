import { sql } from 'drizzle-orm';
import type { PastImport } from '../../contract/imports.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { WrittenRow } from '../db/statements/written-before.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { takeBackIncidents } from '../incidents/service.ts';
import { lockSlots, takeBackSlots } from '../inventory/service.ts';
import { takeBackMachines } from '../machines/service.ts';
import { takeBackMarkets } from '../markets/service.ts';
import { takeBackProducts } from '../products/service.ts';
import { takeBackSales } from '../sales/service.ts';
import { findObstacles, type Obstacle, type WrittenTable } from './obstacles.ts';
import { changesOf, findImport, findImports, lockImport, lockWritten, settleBefore, updateUndone } from './queries.ts';

export { beginImport, endImport } from './record.ts';

const dayMs = 86_400_000;
/** After these days what an import wrote is forgotten, and it stays. */
const undoDays = 90;
const mostShown = 50;

export async function listImports(
  deps: Deps,
  before: number | null,
): Promise<{ imports: PastImport[]; more: boolean }> {
  const found = await findImports(deps.db, { before: before ?? 2_147_483_647, limit: mostShown + 1 });
  return { imports: found.slice(0, mostShown), more: found.length > mostShown };
}

type Written = {
  table: WrittenTable;
  one: string;
  many: string;
  takeBack: (tx: Db, written: readonly WrittenRow[], at: Date) => Promise<void>;
  /** What whoever changes such a row locks before it. */
  lockFirst?: (tx: Db, ids: readonly number[]) => Promise<void>;
};

/** What hangs on something else goes first: a slot before its product and its machine. */
const order: readonly Written[] = [
  {
    ...{ table: 'vending_machine_inventory', one: 'slot', many: 'slots' },
    ...{ takeBack: takeBackSlots, lockFirst: lockSlots },
  },
  { table: 'products', one: 'product', many: 'products', takeBack: takeBackProducts },
  { table: 'vending_machines', one: 'machine', many: 'machines', takeBack: takeBackMachines },
  { table: 'markets', one: 'market', many: 'markets', takeBack: takeBackMarkets },
  { table: 'traffic_incidents', one: 'incident', many: 'incidents', takeBack: takeBackIncidents },
];

/** Takes an import back as a whole; refused, with nothing changed, where something was changed or used since. */
export function undoImport(deps: Deps, caller: Caller, id: number): Promise<PastImport> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    // Years of sales take longer than any other call may.
    await tx.execute(sql`set local statement_timeout = 0`);
    await lockImport(tx, id);
    const found = await findImport(tx, id);
    if (!found) throw notFound('import');
    if (found.undoneAt) throw new AppError('conflict', 'This import was undone already.');
    if (!found.canUndo) throw new AppError('conflict', whyNot(found));
    await takeBackSales(tx, id, at);
    for (const one of order) {
      await lock(tx, id, one);
      const obstacles = await findObstacles(tx, id, one.table);
      if (obstacles.length) throw new AppError('conflict', inWords(obstacles, one));
      for await (const written of changesOf(tx, id, one.table)) await one.takeBack(tx, written, at);
    }
    await updateUndone(tx, { id, by: caller.userId, at });
    const { kind, file, created, updated } = found;
    const detail = { kind, file, created, updated };
    await recordAudit(tx, caller, { action: 'import.undo', objectType: 'import', objectId: id, detail });
    const undone = await findImport(tx, id);
    if (!undone) throw notFound('import');
    return undone;
  });
}

/** What nobody changed when it is looked at must be so still when it is taken back. */
async function lock(tx: Db, id: number, { table, lockFirst }: Written): Promise<void> {
  if (lockFirst) {
    for await (const written of changesOf(tx, id, table)) {
      await lockFirst(
        tx,
        written.map((row) => row.id),
      );
    }
  }
  await lockWritten(tx, id, table);
}

const whyNot = ({ created, updated }: PastImport): string =>
  created + updated === 0
    ? 'This import changed nothing: there is nothing to undo.'
    : `This import is older than ${undoDays} days: what it wrote stays. Correct it by another import.`;

function inWords(found: readonly Obstacle[], { one, many }: { one: string; many: string }): string {
  const total = found[0]?.total ?? found.length;
  const words = { changed: 'changed since', used: 'in use by now' };
  const named = found.map(({ name, why }) => `${name} (${words[why]})`).join(', ');
  const rest = total > found.length ? ` and ${total - found.length} more` : '';
  return `This import cannot be undone: ${total} ${total === 1 ? `${one} of it is` : `${many} of it are`} no longer as it left them: ${named}${rest}. Nothing was changed.`;
}

/** Forgets what imports wrote long ago. */
export function settleImports(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return settleBefore(deps.db, new Date(deps.clock.now().getTime() - undoDays * dayMs));
}
