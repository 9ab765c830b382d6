import type { ScalabilityReport } from '../../contract/performance.ts';
import { StateView } from '../ui/state-view.tsx';
import { useScalability } from './api.ts';
import { abbreviated, millisecondsText } from './figures.ts';
import { Figure, Origin } from './origin.tsx';
import { Section } from './section.tsx';

export function ScalabilityCard() {
  return (
    <Section title="Scalability Analysis" query={useScalability()} row="h-10">
      {(report) => <Scalability report={report} />}
    </Section>
  );
}

function Scalability({ report }: { report: ScalabilityReport }) {
  const { currentCapacity, projectedCapacity, databasePerformance: database, bottlenecks, origins } = report;
  return (
    <>
      <dl className="grid grid-cols-2">
        <Figure
          label="Current capacity"
          value={devicesText(currentCapacity)}
          detail="Machines and markets"
          origin={origins.currentCapacity}
        />
        <Figure
          label="Projected capacity"
          value={projectedCapacity === null ? '–' : devicesText(projectedCapacity)}
          detail={projectedCapacity === null ? 'Not measured yet' : undefined}
          origin={origins.projectedCapacity}
        />
        <Figure
          label="Query response time"
          value={millisecondsText(database.queryResponseTime)}
          origin={origins.queryResponseTime}
        />
        <Figure
          label="Index efficiency"
          value={database.indexEfficiency === null ? '–' : `${database.indexEfficiency}%`}
          detail={database.indexEfficiency === null ? 'No large table was read yet' : undefined}
          origin={origins.indexEfficiency}
        />
      </dl>
      <div className="border-line border-t px-4 py-3">
        <h3 className="flex items-center gap-1 font-semibold">
          Connection pool
          <Origin figure="Connection pool" text={origins.connectionPoolStatus} />
        </h3>
        <p className="text-text-2">{database.connectionPoolStatus}</p>
      </div>
      <div className="border-line border-t px-4 py-3">
        <h3 className="flex items-center gap-1 font-semibold">
          Bottlenecks
          <Origin figure="Bottlenecks" text={origins.bottlenecks} />
        </h3>
        {bottlenecks.length === 0 ? (
          <p className="text-text-2">None was found.</p>
        ) : (
          <ul className="list-disc space-y-1 pl-4 text-text-2">
            {bottlenecks.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

const devicesText = (count: number): string => `${abbreviated(count)} ${count === 1 ? 'device' : 'devices'}`;

export function SuggestionsCard() {
  return (
    <Section title="Optimization Suggestions" query={useScalability()} row="h-4">
      {({ optimizationSuggestions: suggestions, projectedCapacity, origins }) =>
        suggestions.length === 0 ? (
          <StateView icon="check" title="Nothing to suggest" text={roomText(projectedCapacity)} />
        ) : (
          <ul className="divide-y divide-line">
            {suggestions.map((sentence) => (
              <li key={sentence} className="flex items-start gap-1 px-4 py-3">
                <span className="min-w-0 flex-1">{sentence}</span>
                <Origin figure="Suggestion" text={origins.optimizationSuggestions} />
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  );
}

const roomText = (devices: number | null): string =>
  devices === null
    ? 'How many machines and markets these servers bear was not measured yet: it takes some minutes with calls in them.'
    : "There is room for at least twice today's machines and markets.";
