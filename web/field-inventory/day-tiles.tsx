import type { Session } from '../../contract/auth.ts';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { nameOfPerson } from '../auth/api.ts';
import type { OfflineStatus } from '../offline/outbox/status.ts';
import { useFieldDay, useLowCount, useRoutesToday, useUnsentChanges } from './use-field.ts';

type DayTilesProps = {
  session: Session;
  status: OfflineStatus;
  isCompact: boolean;
  isPendingOpen: boolean;
  onPending: () => void;
};

export function DayTiles({ session, status, isCompact, isPendingOpen, onPending }: DayTilesProps) {
  const lowCount = useLowCount();
  const pending = status.drafts + status.unsent;
  const height = isCompact ? 'py-1' : 'py-3';
  return (
    <>
      <div className="grid grid-cols-2 border-b border-line">
        <div className={`border-r border-line px-4 ${height}`}>
          <Figure value={hasCopy(status) ? lowCount : undefined} isCompact={isCompact} label="Low stock at markets" />
        </div>
        <button
          type="button"
          aria-expanded={isPendingOpen}
          onClick={onPending}
          className={`px-4 text-left active:bg-hover ${height} min-h-12`}
        >
          <Figure value={pending} isCompact={isCompact} label="Pending changes" />
        </button>
      </div>
      {!isCompact && <Progress session={session} hasCopy={hasCopy(status)} />}
    </>
  );
}

/** Until the first download is whole, what is here is a part: any figure of it would be a claim. */
const hasCopy = ({ download }: OfflineStatus): boolean => download === 'complete' || download === 'partial';

const unknown = '–';

function Figure({ value, label, isCompact }: { value: number | undefined; label: string; isCompact: boolean }) {
  const size = isCompact ? 'text-16 leading-5' : 'text-28';
  return (
    <>
      <strong className={`block font-semibold tabular-nums text-text ${size}`}>{value ?? unknown}</strong>
      <span className="block text-14 text-text-2">{label}</span>
    </>
  );
}

/** As the server counts: the routes the person drives, and those of their designation. */
function isOwn(route: ScheduledRoute, person: Session['person']): boolean {
  if (route.driverId === person.id) return true;
  return person.routeDesignation !== null && route.routeDesignation === person.routeDesignation;
}

/** The person's own day: the server's figures, with what this phone has not sent yet on top. */
function Progress({ session, hasCopy }: { session: Session; hasCopy: boolean }) {
  const { person } = session;
  const day = useFieldDay();
  const kept = useRoutesToday();
  const routes = (kept ?? []).filter((route) => isOwn(route, person));
  const unsent = useUnsentChanges() ?? 0;
  const isKnown = Boolean(day) || (hasCopy && kept !== undefined);
  const known = (text: string): string => (isKnown ? text : unknown);
  const names = routes.length > 0 ? routes.map((route) => route.name) : (day?.routes ?? []);
  const isKept = routes.length > 0;
  const done = isKept ? routes.reduce((sum, route) => sum + route.completedStops, 0) : (day?.completedStops ?? 0);
  const total = isKept ? routes.reduce((sum, route) => sum + route.totalStops, 0) : (day?.totalStops ?? 0);
  const updates = (day?.todaysUpdates ?? 0) + unsent;
  const rows = [
    ['Route', names.join(', ') || known('No route today')],
    ['Operator', nameOfPerson(person)],
    ['Routes assigned', known(String(day?.routesAssigned ?? routes.length))],
    ['Stops completed', known(total === 0 ? 'None planned' : `${done} of ${total}`)],
    ['Updates made', known(String(updates))],
  ];
  return (
    <section aria-label="Today's progress" className="border-b border-line px-4 py-3">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-14">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-text-2">{label}</dt>
            <dd className="m-0 text-right font-semibold tabular-nums text-text">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
