/** A run of text; links lead to another page of the manual or to a screen. */
export type Run = { kind: 'text' | 'strong' | 'code' | 'link'; text: string; href?: string };

export type Block =
  | { kind: 'heading'; depth: number; runs: Run[] }
  | { kind: 'paragraph'; runs: Run[] }
  | { kind: 'list'; ordered: boolean; items: Run[][] }
  | { kind: 'table'; head: Run[][]; rows: Run[][][] };

/** One page of the manual as the build reads it from its text. */
export type ManualPage = { title: string; blocks: Block[] };
