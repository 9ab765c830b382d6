/** A run of text; links lead to another page of the manual or to a screen. */
export type Run = { kind: 'text' | 'strong' | 'code' | 'link'; text: string; href?: string };

/** The build adds its size, so that the text below does not jump when it arrives. */
export type Picture = { kind: 'picture'; src: string; alt: string; width?: number; height?: number };

export type Block =
  | { kind: 'heading'; depth: number; runs: Run[] }
  | { kind: 'paragraph'; runs: Run[] }
  | Picture
  | { kind: 'list'; ordered: boolean; items: Run[][] }
  | { kind: 'table'; head: Run[][]; rows: Run[][][] };

/** One page of the manual as the build reads it from its text. */
export type ManualPage = { title: string; blocks: Block[] };
