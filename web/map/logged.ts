/** For failures that never stop the person's work and belong in the log only: a refused position, a map style that is down. */
export function logged(what: string, reason: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the log is the only place these failures are told
  console.warn(`${what}: ${reason instanceof Error ? reason.message : String(reason)}`);
}
