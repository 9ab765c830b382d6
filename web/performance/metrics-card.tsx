import type { PerformanceMetrics } from '../../contract/performance.ts';
import type { SystemHealth } from '../../domain/performance.ts';
import { formatNumber, formatTime } from '../http/format.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { useMetrics } from './api.ts';
import { abbreviated, millisecondsText, rateText } from './figures.ts';
import { Figure, Origin } from './origin.tsx';
import { Section } from './section.tsx';

const healthLook: Record<SystemHealth, { tone: Tone; label: string }> = {
  excellent: { tone: 'ok', label: 'Excellent' },
  good: { tone: 'ok', label: 'Good' },
  warning: { tone: 'warn', label: 'Warning' },
  critical: { tone: 'bad', label: 'Critical' },
};

export function MetricsCard() {
  const query = useMetrics();
  return (
    <Section
      title="Real-Time Performance"
      query={query}
      row="h-14"
      actions={query.data && <Health metrics={query.data} />}
    >
      {(metrics) => <Metrics metrics={metrics} />}
    </Section>
  );
}

function Health({ metrics: { systemHealth, origins, measuredAt } }: { metrics: PerformanceMetrics }) {
  const { tone, label } = healthLook[systemHealth];
  return (
    <>
      <span className="text-12 text-text-3">Measured {formatTime(measuredAt)}</span>
      {/* What belongs together stays on one line of a narrow card. */}
      <span className="flex items-center gap-2">
        <span className="whitespace-nowrap text-text-2">System health</span>
        <Badge tone={tone}>{label}</Badge>
        <Origin figure="System health" text={origins.systemHealth} />
      </span>
    </>
  );
}

function Metrics({ metrics: m }: { metrics: PerformanceMetrics }) {
  const { origins } = m;
  return (
    <>
      <dl className="grid grid-cols-3 max-sm:grid-cols-2">
        <Figure
          label="Total devices"
          value={abbreviated(m.totalDevices)}
          detail="Machines and markets"
          origin={origins.totalDevices}
        />
        <Figure
          label="Active devices"
          value={abbreviated(m.activeDevices)}
          detail="Machines and markets"
          origin={origins.activeDevices}
        />
        <Figure label="Routes today" value={formatNumber(m.todaysRoutes)} origin={origins.todaysRoutes} />
        <Figure label="Active routes" value={formatNumber(m.activeRoutes)} origin={origins.activeRoutes} />
        <Figure label="Completed routes" value={formatNumber(m.completedRoutes)} origin={origins.completedRoutes} />
        <Figure
          label="Transactions per second"
          value={rateText(m.transactionsPerSecond)}
          detail={m.processes > 1 ? `${m.processes} server processes` : 'Mean of the last minute'}
          origin={origins.transactionsPerSecond}
        />
        <Figure
          label="Average response time"
          value={m.averageResponseTime === 0 ? '–' : millisecondsText(m.averageResponseTime)}
          detail={m.averageResponseTime === 0 ? 'No calls in the last minute' : 'Mean of the last minute'}
          origin={origins.averageResponseTime}
        />
        <Figure
          label="Data processing rate"
          value={`${rateText(m.dataProcessingRate)} rows/s`}
          detail="Mean of the last minute"
          origin={origins.dataProcessingRate}
        />
      </dl>
      <h3 className="flex items-center gap-1 border-line border-t px-4 pt-3 font-semibold">
        Recommendations
        <Origin figure="Recommendations" text={origins.recommendations} />
      </h3>
      {m.recommendations.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-text-2">None: these figures ask for no change.</p>
      ) : (
        <ul className="list-disc space-y-1 pt-1 pr-4 pb-4 pl-8 text-text-2">
          {m.recommendations.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
