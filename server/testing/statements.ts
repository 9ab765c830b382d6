import pg from 'pg';

/** A statement as it was sent, with its values. */
type Sent = { text: string; values: unknown[] };

type Query = (...args: unknown[]) => unknown;

export type Recorder = {
  /** What connections of this process send while `work` runs. */
  during: (work: () => Promise<unknown>) => Promise<Sent[]>;
  stop: () => void;
};

/** Listens to the driver; connections made before are not heard. */
export function recordStatements(): Recorder {
  let sent: Sent[] = [];
  const original = pg.Client.prototype.query as Query;
  const kept: Query = function kept(this: pg.Client, ...args) {
    const [first, second] = args;
    const config = typeof first === 'object' ? (first as Partial<Sent>) : { text: String(first) };
    const values = Array.isArray(second) ? second : config.values;
    sent.push({ text: config.text ?? '', values: values ?? [] });
    return original.apply(this, args);
  };
  Object.assign(pg.Client.prototype, { query: kept });
  return {
    during: async (work) => {
      sent = [];
      await work();
      return sent.filter(({ text }) => /^\s*(?:select|with|insert|update|delete)\b/i.test(text));
    },
    stop: () => void Object.assign(pg.Client.prototype, { query: original }),
  };
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

/** From so many pages on it matters whether a table is read whole. */
const bigPages = 100;

/** Tables that are big in this database; of those kept by month each month by itself. */
export async function bigTables(client: pg.Client): Promise<Set<string>> {
  const found = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpages >= $1`,
    [bigPages],
  );
  return new Set(found.rows.map(({ name }) => name));
}

/** The tables that a statement would read from the first row to the last, as the planner has it. */
export async function readWhole(client: pg.Client, { text, values }: Sent): Promise<string[]> {
  const found = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${text}`, values);
  return found.rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan: plan }) => wholeIn(plan));
}

function wholeIn(plan: Plan): string[] {
  const table = plan['Relation Name'];
  const own = table && plan['Node Type'] === 'Seq Scan' ? [table] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(wholeIn)];
}
