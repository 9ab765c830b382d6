/** Says that what is stored changed; readers compare the revision. Other tabs are told and heard. */
export class ChangeSignal {
  private count = 0;
  private readonly listeners = new Set<() => void>();
  private readonly announce: () => void;

  constructor(announce: () => void) {
    this.announce = announce;
  }

  revision = (): number => this.count;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  changed(): void {
    this.heard();
    this.announce();
  }

  /** Another tab changed something. */
  heard(): void {
    this.count += 1;
    for (const listener of this.listeners) listener();
  }
}
