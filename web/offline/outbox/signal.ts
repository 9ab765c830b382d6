/** What can change on the phone, apart, so that a tap does not make everything be read again. */
export type StoredKind = 'drafts' | 'visits' | 'outbox' | 'download';

/** Says that what is stored changed; readers compare the revision. Other tabs are told and heard. */
export class ChangeSignal {
  private readonly counts: Record<StoredKind, number> = { drafts: 0, visits: 0, outbox: 0, download: 0 };
  private readonly listeners = new Set<() => void>();
  private readonly announce: () => void;

  constructor(announce: () => void) {
    this.announce = announce;
  }

  /** Rises whenever one of the kinds changes. */
  revision = (kinds: readonly StoredKind[] = allKinds): number =>
    kinds.reduce((sum, kind) => sum + this.counts[kind], 0);

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  changed(kinds: readonly StoredKind[] = allKinds): void {
    this.heard(kinds);
    this.announce();
  }

  /** Another tab changed something; which kind it does not say. */
  heard(kinds: readonly StoredKind[] = allKinds): void {
    for (const kind of kinds) this.counts[kind] += 1;
    for (const listener of this.listeners) listener();
  }
}

const allKinds: readonly StoredKind[] = ['drafts', 'visits', 'outbox', 'download'];
