import type { EnterpriseReadiness, PerformanceMetrics } from '../../contract/performance.ts';
import { dailyRouteCapacity } from '../../domain/performance.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { Flag } from '../ui/badge.tsx';
import { useReadings } from './api.ts';
import { millisecondsText } from './figures.ts';
import { levelLabel } from './readiness-card.tsx';
import { Section } from './section.tsx';

/** What can be said of this installation from the figures above, and nothing they do not bear out. */
export function ConfirmationCard() {
  return (
    <Section title="What Is Confirmed" query={useReadings()} row="h-4" className="xl:col-span-2">
      {({ metrics, readiness }) => (
        <ul className="grid gap-2 p-4">
          {statements(metrics, readiness).map(({ isConfirmed, sentence }) => (
            <li key={sentence} className="flex items-baseline gap-3">
              <span className="w-32 flex-none">
                <Flag tone={isConfirmed ? 'ok' : 'warn'}>{isConfirmed ? 'Confirmed' : 'Not confirmed'}</Flag>
              </span>
              <span className="min-w-0">{sentence}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

type Statement = { isConfirmed: boolean; sentence: string };

function statements(metrics: PerformanceMetrics, readiness: EnterpriseReadiness): Statement[] {
  const { totalDevices, todaysRoutes, averageResponseTime } = metrics;
  const { maxRecommendedDevices: most, readinessLevel } = readiness;
  const devices = countOf(totalDevices, 'machine or market', 'machines and markets');
  return [
    {
      isConfirmed: most !== null && totalDevices <= most,
      sentence:
        most === null
          ? `This installation serves ${devices}; how many it bears was not measured yet.`
          : `This installation serves ${devices} and is recommended up to ${formatNumber(most)} (${levelLabel[readinessLevel]}).`,
    },
    {
      isConfirmed: todaysRoutes <= dailyRouteCapacity,
      sentence: `${countOf(todaysRoutes, 'route')} today, of ${dailyRouteCapacity} that a day may hold.`,
    },
    {
      isConfirmed: averageResponseTime <= 300,
      sentence:
        averageResponseTime === 0
          ? 'Nobody asked for anything in the last minute.'
          : `Answers took ${millisecondsText(averageResponseTime)} on average in the last minute; up to 300 ms feels quick.`,
    },
  ];
}
