import { and, desc, eq, sql } from 'drizzle-orm';
import type { SentCatalog, SentMarket } from '../../connectors/nama-vdi/document.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { addressText } from '../db/statements/address-text.ts';
import { vdiSent } from './tables.ts';

export type SentRow = typeof vdiSent.$inferSelect;

export async function findLastSent(db: Db, configId: number, part: string): Promise<SentRow | undefined> {
  const [last] = await db
    .select()
    .from(vdiSent)
    .where(and(eq(vdiSent.configId, configId), eq(vdiSent.part, part)))
    .orderBy(desc(vdiSent.id))
    .limit(1);
  return last;
}

export async function insertSent(db: Db, sent: typeof vdiSent.$inferInsert): Promise<SentRow> {
  const [made] = await db.insert(vdiSent).values(sent).returning();
  if (!made) throw new Error('a document was not stored');
  return made;
}

export async function updateSent(db: Db, id: number, fields: Partial<typeof vdiSent.$inferInsert>): Promise<void> {
  await db.update(vdiSent).set(fields).where(eq(vdiSent.id, id));
}

export async function countAttempt(db: Db, id: number): Promise<void> {
  await db
    .update(vdiSent)
    .set({ attempts: sql`${vdiSent.attempts} + 1` })
    .where(eq(vdiSent.id, id));
}

/** Until the transaction ends nobody else stores a document of this configuration. */
export async function lockSent(tx: Db, configId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('vdi-sent'), ${configId})`);
}

/** The other side's own id of a market it told of, else ours. */
const marketId = sql`case when m.integration_id like 'nama_vdi:%' then split_part(m.integration_id, ':', 3)
    || case when split_part(m.integration_id, ':', 4) <> '' then ':' || split_part(m.integration_id, ':', 4) else '' end
  else m.id::text end`;

export type OwnMarket = SentMarket & { id: number };

export function findOwnMarkets(db: Db): Promise<OwnMarket[]> {
  return rows<OwnMarket>(
    db,
    sql`select m.id, ${marketId} as "marketId", m.name, ${addressText(sql`m`)} as address,
          null as location, '[]'::jsonb as kiosks
        from markets m where m.deleted_at is null order by m.id`,
  );
}

/** What markets sell, by market. */
export function findCatalogs(db: Db, markets: readonly OwnMarket[]): Promise<Omit<SentCatalog, 'version'>[]> {
  const ids = JSON.stringify(markets.map(({ id }) => id));
  return rows(
    db,
    sql`select ${marketId} as "marketId", 'Full' as size, '[]'::jsonb as remove,
          coalesce(jsonb_agg(jsonb_build_object('productId', coalesce(i.product_id::text, 'I' || i.id), 'code', i.product_id::text,
            'name', i.product_name, 'category', p.category, 'cost', p.unit_cost::text, 'price', p.unit_price::text,
            'barcodes', coalesce((select jsonb_agg(b.code order by b.code) from product_barcodes b
              where b.product_id = i.product_id), '[]'::jsonb)) order by i.id) filter (where i.id is not null), '[]'::jsonb) as update
        from markets m left join inventory_items i on i.market_id = m.id and i.deleted_at is null
        left join products p on p.id = i.product_id
        where m.id in (select jsonb_array_elements_text(${ids}::jsonb)::int) group by m.id order by m.id`,
  );
}
