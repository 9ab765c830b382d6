/** Where a command writes: results to `out`, reasons and progress to `err`. */
export type Io = { out: (text: string) => void; err: (text: string) => void };

/** 0 done, 1 refused or failed with a reason on standard error, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

export type Command = {
  usage: string;
  summary: string;
  run: (args: string[], io: Io) => Promise<ExitCode | 'stay'>;
};
