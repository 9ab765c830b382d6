import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { getSession, type Session } from '../../contract/auth.ts';
import { setOperatorRules } from '../http/operator-rules.ts';
import { queryFor } from '../http/query-client.ts';
import { rememberSession } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { SessionContext } from './session-context.ts';

/** Timers count no further than this. */
const longestMs = 2_000_000_000;
/** So that the server's clock has passed the instant too. */
const afterMs = 1_000;

/** The session as it is now: another role, route or access reaches the screens without a reload. */
export function LiveSession({ session, children }: { session: Session; children: ReactNode }) {
  const client = useQueryClient();
  const offline = useOffline();
  const { data } = useQuery({ ...queryFor(getSession, {}), initialData: session });
  // Before what is inside is drawn, which reads them as it draws.
  setOperatorRules(data.operator.rules);
  const changesAt = data.access?.changesAt ?? null;
  useEffect(() => {
    if (changesAt === null) return;
    const wait = Math.min(longestMs, Math.max(0, Date.parse(changesAt) - Date.now()) + afterMs);
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: [getSession.path] }), wait);
    return () => clearTimeout(timer);
  }, [changesAt, client]);
  useEffect(() => {
    if (data !== session) void rememberSession(offline, data);
  }, [data, session, offline]);
  return <SessionContext value={data}>{children}</SessionContext>;
}
