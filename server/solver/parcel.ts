import type { Matrix, Problem } from '../../optimizer/index.ts';

/**
 * A problem on its way to the solver threads. Matrices go through shared memory: written once, a few rows at a time so that
 * requests are not held up, and read by every thread without another copy.
 */
export type Parcel = { problem: Omit<Problem, 'matrices'>; matrices: Record<string, Tables> };
type Table = { size: number; entries: SharedArrayBuffer };
type Tables = { durations: Table; distances?: Table; costs?: Table };

/** Entries written before others get their turn: about a millisecond. */
const entriesAtOnce = 100_000;

async function pack(matrix: Matrix): Promise<Table> {
  const size = matrix.length;
  const entries = new SharedArrayBuffer(size * size * Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(entries);
  let written = 0;
  for (const [from, row] of matrix.entries()) {
    if (row.length !== size) return { size: -1, entries };
    // NaN stands for a pair without a way.
    for (let to = 0; to < size; to++) numbers[from * size + to] = row[to] ?? Number.NaN;
    written += size;
    if (written < entriesAtOnce) continue;
    written = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { size, entries };
}

/** Distances that are the very same matrix as the durations travel once. */
export async function toParcel({ matrices, ...problem }: Problem): Promise<Parcel> {
  const packed: Record<string, Tables> = {};
  for (const [profile, { durations, distances, costs }] of Object.entries(matrices)) {
    const table = await pack(durations);
    const own = distances === durations ? table : distances && (await pack(distances));
    packed[profile] = { durations: table, ...(own && { distances: own }), ...(costs && { costs: await pack(costs) }) };
  }
  return { problem, matrices: packed };
}

function unpack({ size, entries }: Table): Matrix {
  const numbers = new Float64Array(entries);
  return Array.from({ length: Math.max(0, size) }, (_, from) =>
    Array.from(numbers.subarray(from * size, (from + 1) * size), (entry) => (Number.isNaN(entry) ? null : entry)),
  );
}

export function fromParcel({ problem, matrices }: Parcel): Problem {
  const unpacked = Object.entries(matrices).map(([profile, { durations, distances, costs }]) => {
    const table = unpack(durations);
    const own = distances === durations ? table : distances && unpack(distances);
    return [
      profile,
      { durations: table, ...(own && { distances: own }), ...(costs && { costs: unpack(costs) }) },
    ] as const;
  });
  return { ...problem, matrices: Object.fromEntries(unpacked) };
}
