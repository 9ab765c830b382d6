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

/** The ids next to a key of an odd one: those above have higher keys, those below lower ones. */
export const oddBounds = (key: number) => ({ above: Math.floor((key - 1) / 2), below: Math.ceil((key - 1) / 2) });
