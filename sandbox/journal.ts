/** What came in and what was sent out, so that a test can say 'exactly one refresh'. */
export type Entry = {
  number: number;
  /** By the sandbox's clock, and by the computer's in milliseconds. */
  at: string;
  realMs: number;
  system: string;
  direction: 'in' | 'out';
  method: string;
  /** Without the prefix for what came in; the whole address for what was sent. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string>>;
  /** At most 64 kB of it, as text. */
  body: string;
  /** 0: no answer. */
  status: number;
  /** Kind of the fault that was played. */
  fault: string | null;
};

export type Journal = {
  add: (entry: Omit<Entry, 'number'>) => Entry;
  list: (filter?: { system?: string; since?: number }) => readonly Entry[];
  clear: () => void;
};

const keeps = 20_000;
const longestBody = 65_536;

export function createJournal(): Journal {
  let entries: Entry[] = [];
  let count = 0;
  return {
    add: (entry) => {
      count += 1;
      const written = { ...entry, number: count, body: entry.body.slice(0, longestBody) };
      entries.push(written);
      if (entries.length > keeps) entries = entries.slice(-keeps / 2);
      return written;
    },
    list: ({ system, since = 0 } = {}) =>
      entries.filter((entry) => entry.number > since && (system === undefined || entry.system === system)),
    clear: () => {
      entries = [];
    },
  };
}
