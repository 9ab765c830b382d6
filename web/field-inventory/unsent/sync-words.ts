import { countOf, formatNumber } from '../../http/format.ts';
import type { OfflineStatus } from '../../offline/outbox/status.ts';

type Known = Pick<
  OfflineStatus,
  'online' | 'drafts' | 'unsent' | 'attention' | 'sending' | 'signInNeeded' | 'notSaved'
>;

/** Where the changes are, and why they are not further; the most pressing first. */
export function syncWords(status: Known): string {
  const { drafts, unsent } = status;
  if (status.notSaved) return 'NOT saved: this device has no room left.';
  if (status.attention > 0)
    return `${countOf(status.attention, 'change')} need${status.attention === 1 ? 's' : ''} attention.`;
  const draft = drafts > 0 ? [`${countOf(drafts, 'draft')}, kept on this device until you save.`] : [];
  return [...draft, ...(unsent > 0 ? [unsentWords(status)] : [])].join(' ') || 'Every change is with the server.';
}

function unsentWords({ unsent, online, signInNeeded, sending }: Known): string {
  const kept = `${formatNumber(unsent)} saved on this device`;
  if (signInNeeded) return `${kept}: sign in to send them.`;
  if (!online) return `${kept}: no network. They are sent by themselves.`;
  if (sending.size > 0) return `${kept}: sending now.`;
  return `${kept}: waiting for the next try.`;
}
