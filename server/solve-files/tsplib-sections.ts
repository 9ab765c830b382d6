import { distanceRules, type Place, tableOf } from './distances.ts';
import { type Line, linesOf, numberIn, refused } from './numbered-lines.ts';

/** A file of TSPLIB's kind: what its head says, and the lines of each section. */
export type Sections = { head: Map<string, Line>; parts: Map<string, Line[]>; size: number };

const knownParts = [
  'NODE_COORD_SECTION',
  'DISPLAY_DATA_SECTION',
  'EDGE_WEIGHT_SECTION',
  'DEMAND_SECTION',
  'DEPOT_SECTION',
  'TIME_WINDOW_SECTION',
  'SERVICE_TIME_SECTION',
  'PRIZE_SECTION',
];

export function sectionsOf(text: string): Sections {
  const head = new Map<string, Line>();
  const parts = new Map<string, Line[]>();
  let part: Line[] | null = null;
  for (const line of linesOf(text)) {
    if (line.text === 'EOF') break;
    if (/^[A-Z]/.test(line.text) && !/^(NaN|Infinity)/.test(line.text)) {
      const [, name = '', value = ''] = /^([A-Z_0-9]+)\s*:?\s*(.*)$/.exec(line.text) ?? [];
      if (name.endsWith('_SECTION')) {
        if (!knownParts.includes(name)) throw refused(`line ${line.number}`, `${name} is not supported.`);
        part = [];
        parts.set(name, part);
      } else head.set(name, { ...line, text: value, words: value.split(/\s+/) });
    } else if (part) part.push(line);
    else throw refused(`line ${line.number}`, `'${line.text}' belongs to no section.`);
  }
  const dimension = head.get('DIMENSION');
  if (!dimension) throw refused('head', 'DIMENSION is missing; the file may be cut off.');
  return { head, parts, size: numberIn(dimension, 0, 'DIMENSION', 2) };
}

/** One line per node, as many as DIMENSION says, in any order. */
export function perNode<Value>({ parts, size }: Sections, name: string, read: (line: Line) => Value): Value[] {
  const lines = parts.get(name) ?? [];
  const values: Value[] = [];
  const seen = new Set<number>();
  for (const line of lines) {
    const node = numberIn(line, 0, 'node', 1);
    if (!Number.isInteger(node) || node > size) throw refused(`line ${line.number}`, `there is no node ${node}.`);
    if (seen.has(node)) throw refused(`line ${line.number}`, `node ${node} is listed twice in ${name}.`);
    seen.add(node);
    values[node - 1] = read(line);
  }
  if (seen.size < size) {
    throw refused(name, `${seen.size} of ${size} nodes are listed; the file may be cut off.`);
  }
  return values;
}

export function placesOf(sections: Sections): Place[] {
  return perNode(sections, 'NODE_COORD_SECTION', (line) => ({ x: numberIn(line, 1, 'x'), y: numberIn(line, 2, 'y') }));
}

/** Which entries of the table a format lists, row by row; columns of one triangle are the rows of the other. */
const formats: Record<string, (row: number, size: number) => [number, number]> = {
  FULL_MATRIX: (_, size) => [0, size],
  UPPER_ROW: (row, size) => [row + 1, size],
  LOWER_COL: (row, size) => [row + 1, size],
  UPPER_DIAG_ROW: (row, size) => [row, size],
  LOWER_DIAG_COL: (row, size) => [row, size],
  LOWER_ROW: (row) => [0, row],
  UPPER_COL: (row) => [0, row],
  LOWER_DIAG_ROW: (row) => [0, row + 1],
  UPPER_DIAG_COL: (row) => [0, row + 1],
};

function listedTable({ head, parts, size }: Sections): number[][] {
  const name = head.get('EDGE_WEIGHT_FORMAT')?.text ?? '';
  const span = formats[name];
  if (!span) throw refused('EDGE_WEIGHT_FORMAT', `'${name}' is not supported.`);
  const entries = (parts.get('EDGE_WEIGHT_SECTION') ?? []).flatMap((line) =>
    line.words.map((_, column) => numberIn(line, column, 'distance', 0)),
  );
  const table = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  let at = 0;
  for (let row = 0; row < size; row++) {
    const [from, to] = span(row, size);
    for (let column = from; column < to; column++, at++) {
      const entry = entries[at];
      if (entry === undefined)
        throw refused('EDGE_WEIGHT_SECTION', `the distance from node ${row + 1} to ${column + 1} is missing.`);
      const cells = table[row];
      const mirrored = table[column];
      if (cells) cells[column] = row === column ? 0 : entry;
      if (mirrored && name !== 'FULL_MATRIX') mirrored[row] = row === column ? 0 : entry;
    }
  }
  if (at < entries.length)
    throw refused('EDGE_WEIGHT_SECTION', `${entries.length} distances are listed, ${at} expected.`);
  return table;
}

/** Distances between all nodes by the file's own rule. */
export function distancesOf(sections: Sections): number[][] {
  const rule = sections.head.get('EDGE_WEIGHT_TYPE');
  if (!rule) throw refused('head', 'EDGE_WEIGHT_TYPE is missing.');
  if (rule.text === 'EXPLICIT') return listedTable(sections);
  const distance = distanceRules[rule.text];
  if (!distance) throw refused(`line ${rule.number}`, `EDGE_WEIGHT_TYPE '${rule.text}' is not supported.`);
  return tableOf(placesOf(sections), distance);
}
