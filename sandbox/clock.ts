/** The sandbox's own time: follows the computer's until it is set. */
export type SandboxClock = {
  now: () => Date;
  /** From now on it is this instant; frozen until advanced, or running on. */
  set: (at: Date, frozen: boolean) => void;
  advance: (ms: number) => void;
  /** Follows the computer's clock again. */
  follow: () => void;
  isFrozen: () => boolean;
};

export function createClock(real: () => Date): SandboxClock {
  let offsetMs = 0;
  let frozenAt: number | null = null;
  const nowMs = () => frozenAt ?? real().getTime() + offsetMs;
  return {
    now: () => new Date(nowMs()),
    set: (at, frozen) => {
      offsetMs = at.getTime() - real().getTime();
      frozenAt = frozen ? at.getTime() : null;
    },
    advance: (ms) => {
      offsetMs += ms;
      if (frozenAt !== null) frozenAt += ms;
    },
    follow: () => {
      offsetMs = 0;
      frozenAt = null;
    },
    isFrozen: () => frozenAt !== null,
  };
}
