import type { Connector } from '../../connectors/connector.ts';

type State = {
  system: string;
  isActive: boolean;
  /** Somebody signed in at the partner for it, where a system is joined that way. */
  hasTokens: boolean;
  problemKind: string | null;
};

/** What passes by itself: the system stays connected meanwhile. */
const passing = ['down', 'rate-limit', 'bad-data'];

/**
 * The one rule for what counts as connected, on every screen. A sign-in that never came back is no connection, and
 * neither is one that a person has to put right.
 */
export function isConnected(connectors: readonly Connector[], state: State): boolean {
  const joinsBySignIn = connectors.some(({ manifest, oauth }) => manifest.system === state.system && oauth);
  if (!state.isActive || (joinsBySignIn && !state.hasTokens)) return false;
  return state.problemKind === null || passing.includes(state.problemKind);
}
