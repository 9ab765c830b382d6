import type { Counter, DexReading, DexSelection, DexWarning, WarningCode } from './reading.ts';
import type { Envelope } from './segments.ts';
import type { Selections } from './selections.ts';

/** Heads of segments the standard knows, read here or not. */
const standard =
  /^(?:DXS|ST|SE|DXE|G85|ID\d{1,3}|CB1|[VCDTLSB][ABC]\d{1,3}|A[MU]\d{1,2}|P[AP]\d{1,2}|EA\d{1,2}|MA5|MC5|MR5|SD1|DB\d{1,2})$/;

type Totals = DexReading['totals'];

const known = (values: readonly (Counter | undefined)[]): values is number[] =>
  values.every((value) => value !== null && value !== undefined);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sums that hold in a complete file. Firmware gets them wrong often enough that they are a hint only. */
export function checkSums(totals: Totals, selections: readonly DexSelection[]): DexReading['checks'] {
  const { paid, cash, cashless1, cashless2, tokens } = totals;
  const parts = [cash?.value, cashless1?.value, cashless2 ? cashless2.value : 0];
  const tokenParts = tokens ? [tokens.vend.value ?? 0, tokens.value.value ?? 0] : [];
  const whole = paid?.value;
  const values = selections.map((one) => one.value);
  const vends = selections.map((one) => one.vends);
  const compare = (told: readonly (Counter | undefined)[], total: Counter | undefined): boolean | null =>
    known(told) && known([total]) ? sum(told) === total : null;
  return {
    devicesAddUp: compare([...parts, ...tokenParts], whole),
    selectionValues: selections.length ? compare(values, whole) : null,
    selectionVends: selections.length ? compare(vends, paid?.vends) : null,
  };
}

type Say = (condition: boolean, code: WarningCode, message: string) => void;

/** What a person should know about the file, worst first. */
export function warningsOf(envelope: Envelope, reading: DexReading, found: Selections): DexWarning[] {
  const warnings: DexWarning[] = [];
  const say: Say = (condition, code, message) => {
    if (condition) warnings.push({ code, message });
  };
  sayOfChecksum(envelope, say);
  const { segmentCount, hasEnd, wrapped, escaped, cut } = envelope;
  say(cut, 'cut', 'The file has more lines than any machine writes; the rest was left out.');
  say(!hasEnd, 'no-end', 'The file has no end line: it may have been cut off.');
  sayOfCounters(reading, found, say);
  say(
    segmentCount?.stated != null && segmentCount.stated !== segmentCount.counted,
    'segment-count',
    `The file says it has ${segmentCount?.stated} lines and has ${segmentCount?.counted}. Most machines count wrong.`,
  );
  say(wrapped, 'carrier-header', 'The carrier put text of its own before the file; it was left out.');
  say(escaped, 'escaped', 'The line ends were written as backslash letters and were put right.');
  const unknown = new Set(envelope.segments.map(({ id }) => id).filter((id) => !standard.test(id)));
  const names = [...unknown].slice(0, 5).join(', ').slice(0, 80);
  say(unknown.size > 0, 'unknown-segments', `Lines of the maker’s own were left out: ${names}.`);
  return warnings;
}

function sayOfChecksum({ crc }: Envelope, say: Say): void {
  say(
    crc.verdict === 'mismatch',
    'crc-mismatch',
    `The checksum is ${crc.stated} and should be ${crc.computed}: the file was damaged on its way. Nothing is booked from it.`,
  );
  const odd = crc.form === 'byte-swapped' ? 'with its two bytes swapped' : 'without the last line end';
  say(crc.form !== null && crc.form !== 'standard', 'crc-form', `The checksum holds ${odd}, as some firmware has it.`);
}

function sayOfCounters(reading: DexReading, found: Selections, say: Say): void {
  const counts = reading.selections.length > 0 || reading.vends !== null;
  say(
    counts && !reading.scaleKnown,
    'unknown-scale',
    'The file does not say how many decimals its money has: only counts are used.',
  );
  say(found.shifted, 'shifted-elements', 'Selection numbers stand one element too far right, as one maker has them.');
  say(found.swapped, 'swapped-counters', 'Counts since reset and since the start stand in each other’s place.');
  const { devicesAddUp, selectionValues } = reading.checks;
  say(
    devicesAddUp === false || selectionValues === false,
    'sums-differ',
    'Payment devices or selections do not add up to the machine’s total.',
  );
}
