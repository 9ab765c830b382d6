import { type Aliases, matchColumns } from './file/columns.ts';
import { openTable, type Table } from './file/read-table.ts';
import { locationAliases } from './places.ts';
import { planogramAliases } from './planogram.ts';
import { productAliases } from './products.ts';
import { saleAliases } from './sales/sale-rows.ts';

/** What a kind of import can read, and what it cannot do without: of each group one field. */
type Kind = {
  aliases: Aliases<string>;
  needs: readonly (readonly string[])[];
  /** What gives the kind away, where that is not the same. */
  signs?: readonly (readonly string[])[];
};

const pointFields = [
  ['latitude', 'geometry', 'latitudeFirst'],
  ['longitude', 'geometry', 'latitudeFirst'],
];
/** Where an address search is set up, these say as well where a place is. */
const addressFields = ['address', 'street'];

// The surest sign first: a file of sales names machines and prices too.
const kinds: Record<string, Kind> = {
  locations: { aliases: locationAliases, needs: pointFields, signs: pointFields },
  sales: {
    aliases: saleAliases,
    needs: [['soldAt'], ['price', 'amount', 'productName', 'productCode', 'slotNumber']],
    signs: [['soldAt'], ['price', 'amount', 'deviceId', 'machineName']],
  },
  planogram: { aliases: planogramAliases, needs: [['machine'], ['slotNumber'], ['productName'], ['price']] },
  products: { aliases: productAliases, needs: [['barcode', 'name']] },
};
/** Read beside `price` from the same column: nobody chooses it. */
const hidden = new Set(['mappedPrice']);

const sampledRows = 30;
const mostSamples = 3;
const sampleLength = 60;

export type TableReading = {
  kind: string;
  fields: string[];
  needs: string[][];
  columns: { name: string; sameAs: string | null; samples: string[]; field: string | null }[];
};

/** What a file holds and what its columns seem to mean; without a kind, the one it looks most like. */
export async function readColumns(
  file: string,
  kind: string | null,
  { findsAddresses }: { findsAddresses: boolean },
): Promise<TableReading> {
  const table = await openTable(file);
  try {
    const name = kind ?? likelyKind(table);
    const { aliases, needs } = kinds[name] ?? { aliases: {}, needs: [] };
    const guess = guessed(table, aliases);
    const samples = await sampled(table);
    return {
      kind: name,
      fields: Object.keys(aliases).filter((field) => !hidden.has(field)),
      needs: needs.map((group) => [...group, ...(name === 'locations' && findsAddresses ? addressFields : [])]),
      columns: table.header.flatMap((column, index) => {
        const sameAs = table.sameAs.get(column) ?? null;
        const seen = samples[index] ?? [];
        // A spreadsheet ends in columns that hold nothing.
        if (sameAs === '' && seen.length === 0) return [];
        return [{ name: column, sameAs, samples: seen, field: guess.get(column) ?? null }];
      }),
    };
  } finally {
    await table.close();
  }
}

/** Column -> field, as an import without a map would take it. */
function guessed(table: Table, aliases: Aliases<string>): Map<string, string> {
  const columns = matchColumns(table, aliases, {});
  const pairs = Object.keys(aliases)
    .filter((field) => !hidden.has(field))
    .flatMap((field) => {
      const name = columns.nameOf(field);
      return name === null ? [] : [[name, field] as const];
    });
  // Where one column could mean two things, the first is said.
  return new Map(pairs.toReversed());
}

function likelyKind(table: Table): string {
  const scored = Object.entries(kinds).map(([name, { aliases, needs, signs }]) => {
    const found = new Set(guessed(table, aliases).values());
    const has = (groups: Kind['needs']): boolean => groups.every((group) => group.some((field) => found.has(field)));
    return { name, score: found.size, isSure: has(signs ?? needs) };
  });
  const sure = scored.find(({ isSure }) => isSure);
  // A catalogue has no streets: what is named and has an address is a place, wherever that is.
  if (sure?.name === 'products' && hasAddress(table)) return 'locations';
  return (sure ?? scored.reduce((best, one) => (one.score > best.score ? one : best))).name;
}

function hasAddress(table: Table): boolean {
  const columns = matchColumns(table, locationAliases, {});
  return columns.has('address') || columns.has('street');
}

async function sampled(table: Table): Promise<string[][]> {
  const samples: string[][] = table.header.map(() => []);
  let read = 0;
  for await (const { cells } of table.rows) {
    for (const [index, seen] of samples.entries()) {
      const text = cells[index]?.slice(0, sampleLength) ?? '';
      if (text !== '' && seen.length < mostSamples && !seen.includes(text)) seen.push(text);
    }
    read += 1;
    if (read === sampledRows) break;
  }
  return samples;
}
