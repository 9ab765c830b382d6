export type CsvColumn<R> = { header: string; value: (row: R) => string | number | null };

/** A cell that a spreadsheet would run as a formula; numbers below zero are none. */
const formula = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/;

export function csvOf<R>(rows: readonly R[], columns: readonly CsvColumn<R>[]): string {
  const lines = [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function saveFile(name: string, type: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
