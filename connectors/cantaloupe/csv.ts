/** Cells of one line, and the number of the line where it begins. */
export type CsvRow = { line: number; cells: string[] };

export type Csv = {
  rows: CsvRow[];
  /** The text stops without a line break or within quotes: its last row may be half a row. */
  endsOpen: boolean;
};

/** Splits RFC 4180 text: quotes, doubled quotes, line breaks within quotes, CRLF or LF. Empty lines are left out. */
export function readCsv(text: string): Csv {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let startLine = 1;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: startLine, cells: cells.map((one) => one.trim()) });
    cells = [];
    cell = '';
    startLine = line;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '\n') line += 1;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
      continue;
    }
    if (sign === '"' && cell.trim() === '') {
      quoted = true;
      cell = '';
    } else if (sign === ',') {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  const isOpen = quoted || cell !== '' || cells.length > 0;
  if (isOpen) endRow();
  return { rows, endsOpen: isOpen };
}
