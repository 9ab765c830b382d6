import { hkdfSync, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { type Db, rows } from '../db/database.ts';
import {
  decrypt,
  encrypt,
  keyBytes,
  keyIdOf,
  type NamedKey,
  openText,
  rewrap,
  SealError,
  sealText,
} from './envelope.ts';
import { type SealedPlace, sealedPlaces } from './sealed-places.ts';
import { sealingKeys } from './tables.ts';

/** Where a sealed value stands: it opens there and nowhere else. */
export type Place = { table: string; column: string; row: string | number };

export type KeyRing = {
  /** Text for the column of this row. Hand in the transaction that writes it. */
  seal: (db: Db, place: Place, text: string) => Promise<string>;
  /** What was sealed for this row; throws `SealError`. */
  open: (db: Db, place: Place, sealed: string) => Promise<string>;
  /** Makes a new key and wraps every sealed value with it; safe beside running servers. */
  rotate: (db: Db, at: Date) => Promise<Rotation>;
  /** Sees to it that there is a key; false when one does not open: it was made with another installation's key. */
  prepare: (db: Db) => Promise<boolean>;
};

/** `unopened` values were sealed with a key that is not here and must be entered again. */
type Rotation = { keyId: string; rewrapped: number; unopened: number };

/** Another server may have read the key before and write with it a moment later: kept until the next change of key. */
const retiredLifeMs = 3_600_000;
const batch = 500;

const boundTo = ({ table, column, row }: Place): string => `${table}.${column}:${row}`;

/**
 * The wrapping keys of this database, each wrapped by the installation's key. `masters`: the one in use first, then those
 * it may have been before.
 */
export function keyRing(masters: readonly string[], places: readonly SealedPlace[] = sealedPlaces): KeyRing {
  const ring = ringOf(masters);
  return {
    seal: async (db, place, text) => sealText(await ring.current(db), boundTo(place), text),
    open: async (db, place, sealed) => openText(await ring.byId(db, keyIdOf(sealed)), boundTo(place), sealed),
    prepare: async (db) => {
      await ring.current(db);
      return (await db.select().from(sealingKeys)).every((row) => ring.unwrapped(row) !== null);
    },
    rotate: async (db, at) => {
      const next = await ring.add(db);
      await db
        .update(sealingKeys)
        .set({ retiredAt: at })
        .where(and(isNull(sealingKeys.retiredAt), sql`${sealingKeys.id} <> ${next.id}`));
      const done = { keyId: next.id, rewrapped: 0, unopened: 0 };
      const still = new Set<string>();
      for (const place of places) {
        const moved = await moveTo(db, ring, { next, place, still });
        done.rewrapped += moved.rewrapped;
        done.unopened += moved.unopened;
      }
      await forget(db, still, new Date(at.getTime() - retiredLifeMs));
      return done;
    },
  };
}

type Row = typeof sealingKeys.$inferSelect;
type Ring = ReturnType<typeof ringOf>;

function ringOf(masters: readonly string[]) {
  const outer = masters.map((master) => Buffer.from(hkdfSync('sha256', master, '', 'milkrun sealing', keyBytes)));
  const known = new Map<string, Buffer>();
  const unwrapped = ({ id, wrapped }: Pick<Row, 'id' | 'wrapped'>): Buffer | null => {
    for (const master of outer) {
      const key = tryOpen(master, wrapped, id);
      if (!key) continue;
      known.set(id, key);
      return key;
    }
    return null;
  };
  const [first] = outer;
  if (!first) throw new Error('no installation key');
  const add = async (db: Db): Promise<NamedKey> => {
    const id = randomBytes(6).toString('hex');
    const key = randomBytes(keyBytes);
    await db.insert(sealingKeys).values({ id, wrapped: encrypt(first, key, id) });
    known.set(id, key);
    return { id, key };
  };
  const current = async (db: Db): Promise<NamedKey> => {
    const live = await db
      .select()
      .from(sealingKeys)
      .where(isNull(sealingKeys.retiredAt))
      .orderBy(desc(sealingKeys.createdAt), sealingKeys.id);
    for (const row of live) {
      const key = known.get(row.id) ?? unwrapped(row);
      if (key) return { id: row.id, key };
    }
    return add(db);
  };
  const byId = async (db: Db, id: string): Promise<Buffer> => {
    const held = known.get(id);
    if (held) return held;
    const [row] = await db.select().from(sealingKeys).where(eq(sealingKeys.id, id));
    const key = row ? unwrapped(row) : null;
    if (!key) throw new SealError('This value was sealed with a key that is not here. Enter it again.');
    return key;
  };
  return { unwrapped, add, current, byId };
}

function tryOpen(master: Buffer, wrapped: string, id: string): Buffer | null {
  try {
    return decrypt(master, wrapped, id);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

type Move = { next: NamedKey; place: SealedPlace; still: Set<string> };
type Sealed = { row: string; text: string };

/** Wraps the values of one column anew; `still` gathers the keys that some value needs on. */
async function moveTo(db: Db, ring: Ring, { next, place, still }: Move) {
  const count = { rewrapped: 0, unopened: 0 };
  const [table, column, key] = [place.table, place.column, place.key].map((name) => sql.identifier(name));
  let after: string | null = null;
  for (;;) {
    const found: Sealed[] = await rows<Sealed>(
      db,
      sql`select ${key}::text as "row", ${column} as "text" from ${table}
          where ${column} is not null and (${after}::text is null or ${key}::text > ${after})
          order by ${key}::text limit ${batch}`,
    );
    for (const { row, text } of found) {
      if (keyIdOf(text) === next.id) continue;
      const bound = boundTo({ table: place.table, column: place.column, row });
      const moved = await wrapAnew(db, ring, { next, bound, text });
      if (moved) {
        // Written meanwhile: then it is wrapped by the newest key already.
        await db.execute(
          sql`update ${table} set ${column} = ${moved} where ${key}::text = ${row} and ${column} = ${text}`,
        );
        count.rewrapped += 1;
      } else {
        still.add(keyIdOf(text));
        count.unopened += 1;
      }
    }
    after = found.at(-1)?.row ?? null;
    if (found.length < batch) return count;
  }
}

async function wrapAnew(db: Db, ring: Ring, { next, bound, text }: { next: NamedKey; bound: string; text: string }) {
  try {
    return rewrap(await ring.byId(db, keyIdOf(text)), next, bound, text);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

async function forget(db: Db, still: ReadonlySet<string>, before: Date): Promise<void> {
  const old = and(isNotNull(sealingKeys.retiredAt), lt(sealingKeys.retiredAt, before));
  const due = (await db.select({ id: sealingKeys.id }).from(sealingKeys).where(old)).filter(({ id }) => !still.has(id));
  if (due.length > 0)
    await db.delete(sealingKeys).where(
      inArray(
        sealingKeys.id,
        due.map(({ id }) => id),
      ),
    );
}
