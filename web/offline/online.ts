/**
 * Whether the server can be reached: the browser's own flag, and whether the last request got through (a phone in a
 * basement often claims a network that leads nowhere).
 */
export class OnlineState {
  private connected: boolean;
  private reached = true;
  private readonly listeners = new Set<() => void>();

  constructor(connected: boolean) {
    this.connected = connected;
  }

  isOnline = (): boolean => this.connected && this.reached;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The browser said so. A new connection gets the benefit of the doubt. */
  setConnected(connected: boolean): void {
    this.change(() => {
      this.connected = connected;
      if (connected) this.reached = true;
    });
  }

  /** A request got through, or did not. */
  setReached(reached: boolean): void {
    this.change(() => {
      this.reached = reached;
    });
  }

  private change(set: () => void): void {
    const before = this.isOnline();
    set();
    if (this.isOnline() !== before) for (const listener of this.listeners) listener();
  }
}
