import type { RouteCapacity } from '../../contract/performance.ts';
import { dailyRouteCapacity, isNearRouteCapacity, routeWarningPercent } from '../../domain/performance.ts';
import { formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { useRouteCapacity } from './api.ts';
import { Figure } from './origin.tsx';
import { Section } from './section.tsx';

export function CapacityCard() {
  return (
    <Section title="Daily Route Capacity" query={useRouteCapacity()} row="h-4">
      {(capacity) => <Capacity capacity={capacity} />}
    </Section>
  );
}

function Capacity({
  capacity: { todaysRoutes, currentUtilization, remainingCapacity, origins },
}: {
  capacity: RouteCapacity;
}) {
  const isNear = isNearRouteCapacity(currentUtilization);
  return (
    <>
      <dl className="grid grid-cols-3 max-sm:grid-cols-2">
        <Figure
          label="Today's routes"
          value={`${formatNumber(todaysRoutes)} / ${dailyRouteCapacity}`}
          origin={origins.todaysRoutes}
        />
        <Figure label="Utilization" value={`${currentUtilization}%`} origin={origins.currentUtilization} />
        <Figure label="Remaining" value={formatNumber(remainingCapacity)} origin={origins.remainingCapacity} />
      </dl>
      <div className="px-4 pb-4">
        {/* biome-ignore lint/a11y/useSemanticElements: the element cannot be drawn alike in all browsers */}
        <div
          role="meter"
          aria-label="Routes of today"
          aria-valuemin={0}
          aria-valuemax={dailyRouteCapacity}
          aria-valuenow={Math.min(dailyRouteCapacity, todaysRoutes)}
          className="relative h-3 overflow-hidden rounded-[2px] border border-line bg-idle-soft"
        >
          <span
            className={`block h-full ${isNear ? 'bg-warn' : 'bg-ok'}`}
            style={{ width: `${Math.min(100, currentUtilization)}%` }}
          />
          <i aria-hidden className="absolute inset-y-0 w-px bg-text-3" style={{ left: `${routeWarningPercent}%` }} />
        </div>
        <p className="mt-1 text-12 text-text-3">
          The mark is at {routeWarningPercent}%. Routes of today stand in the{' '}
          <AppLink href="/daily-schedule" className="text-accent underline">
            Daily Schedule
          </AppLink>
          .
        </p>
      </div>
      {isNear && (
        <p role="alert" className="flex gap-2 border-line border-t bg-warn-soft px-4 py-3 text-warn-text">
          <span className="mt-0.5 flex-none">
            <Icon name="alert" />
          </span>
          Route capacity utilization is above {routeWarningPercent}%. Join short routes, or move some to another day.
        </p>
      )}
    </>
  );
}
