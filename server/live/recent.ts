const mostKept = 2_000;

export type RecentNotes<N> = {
  /** What is known starts now: before it this process heard nothing. */
  startOver: () => void;
  keep: (note: N) => void;
  /** What was told in the last milliseconds; null: so far back nothing is known. */
  within: (ms: number) => N[] | null;
};

/** What was told a moment ago, for a screen that had read its lists before its stream was open. */
export function recentNotes<N>(now: () => number): RecentNotes<N> {
  let notes: { at: number; note: N }[] = [];
  let knownSince = now();
  return {
    startOver: () => {
      notes = [];
      knownSince = now();
    },
    keep: (note) => {
      const at = now();
      notes.push({ at, note });
      if (notes.length <= mostKept) return;
      // The older half goes at once, so that not every further note moves the whole list.
      notes = notes.slice(-mostKept / 2);
      knownSince = notes[0]?.at ?? at;
    },
    within: (ms) => {
      const from = now() - ms;
      if (from < knownSince) return null;
      return notes.filter((one) => one.at >= from).map((one) => one.note);
    },
  };
}
