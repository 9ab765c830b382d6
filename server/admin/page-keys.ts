import { type SQL, sql } from 'drizzle-orm';

export type PageWish = {
  search?: string | undefined;
  route?: string | undefined;
  sort: string;
  page?: string | undefined;
  limit: number;
};

/** Ids of two tables in one order: even ones are of markets and their items, odd ones of machines and their slots. */
export const evenKey = (id: SQL): SQL => sql`(${id}::bigint * 2)`;
export const oddKey = (id: SQL): SQL => sql`(${id}::bigint * 2 + 1)`;
