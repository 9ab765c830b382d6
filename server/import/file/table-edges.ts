/** A row with the number of its (first) line in the file; cells are trimmed. */
export type SourceRow = { line: number; cells: string[] };

/** A title, a period, who made it: more lines than these above a header are no header's. */
const mostTitles = 10;
/** A line of one cell stands above a table only where the table is clearly wider. */
const clearlyWider = 3;

const filled = (row: SourceRow): number => row.cells.filter((cell) => cell !== '').length;

type Start = {
  header: SourceRow | null;
  /** Lines above the header that were left out. */
  titles: number[];
  rows: AsyncGenerator<SourceRow>;
};

/** Finds the header: lines of a single cell above a wider one are the title that an old system prints. */
export async function startOf(all: AsyncGenerator<SourceRow>): Promise<Start> {
  const above: SourceRow[] = [];
  let wider: SourceRow | null = null;
  while (!wider && above.length <= mostTitles) {
    const next = await all.next();
    if (next.done) break;
    if (filled(next.value) === 1) above.push(next.value);
    else wider = next.value;
  }
  const isTitled = wider !== null && (filled(wider) >= clearlyWider || above.some(({ cells }) => cells.length > 1));
  if (wider && (above.length === 0 || isTitled)) {
    return { header: wider, titles: above.map(({ line }) => line), rows: all };
  }
  const [header = null, ...rest] = wider ? [...above, wider] : above;
  return { header, titles: [], rows: following(rest, all) };
}

async function* following(first: readonly SourceRow[], rest: AsyncGenerator<SourceRow>): AsyncGenerator<SourceRow> {
  yield* first;
  yield* rest;
}

const totalWord = /^(?:grand |sub)?-?totals?:?$/i;
const amount = /^(?:\p{Sc}|[A-Z]{3})?\s*-?[\d.,]+\s*(?:\p{Sc}|[A-Z]{3}|%)?$/u;

/** A line of sums below or between the rows: it begins with 'Total', and is cut short or holds nothing but figures. */
export function isTotal({ cells }: SourceRow, width: number): boolean {
  const [first = '', ...others] = cells.filter((cell) => cell !== '');
  if (!totalWord.test(first)) return false;
  if (cells.length !== width) return true;
  return cells.includes('') && others.every((cell) => amount.test(cell));
}

/** A name for each column that no other has, and for those renamed the name they share. */
export function ownNames(cells: readonly string[]): { names: string[]; sameAs: ReadonlyMap<string, string> } {
  const taken = new Set(cells);
  const seen = new Set<string>();
  const sameAs = new Map<string, string>();
  const names = cells.map((name, at) => {
    const isFirst = name !== '' && !seen.has(name);
    seen.add(name);
    if (isFirst) return name;
    const own = freeName(name === '' ? `Column ${at + 1}` : name, taken);
    taken.add(own);
    sameAs.set(own, name);
    return own;
  });
  return { names, sameAs };
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n++) if (!taken.has(`${wanted} (${n})`)) return `${wanted} (${n})`;
}
