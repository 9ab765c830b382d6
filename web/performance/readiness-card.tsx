import type { EnterpriseReadiness } from '../../contract/performance.ts';
import type { ReadinessLevel } from '../../domain/performance.ts';
import { formatNumber } from '../http/format.ts';
import { Flag } from '../ui/badge.tsx';
import { useReadiness } from './api.ts';
import { Figure, Origin } from './origin.tsx';
import { Section } from './section.tsx';

export const levelLabel: Record<ReadinessLevel, string> = {
  enterprise_plus: 'Enterprise Plus',
  enterprise: 'Enterprise',
  small_business: 'Small Business',
  startup: 'Startup',
};

/** The size the product is planned for, where nothing was measured yet. */
const plannedDevices = '50,000';

export const recommendedText = (devices: number | null): string =>
  devices === null ? plannedDevices : formatNumber(devices);

export function ReadinessCard() {
  return (
    <Section title="Readiness Assessment" query={useReadiness()} row="h-16">
      {(readiness) => <Readiness readiness={readiness} />}
    </Section>
  );
}

function Readiness({ readiness }: { readiness: EnterpriseReadiness }) {
  const { score, maxRecommendedDevices: devices, readinessLevel, checks, criticalImprovements, origins } = readiness;
  return (
    <>
      <dl className="grid grid-cols-3 border-line border-b max-sm:grid-cols-2 max-sm:[&>:last-child]:col-span-2">
        <Figure label="Score" value={`${score} / 100`} origin={origins.score} />
        <Figure label="Level" value={levelLabel[readinessLevel]} origin={origins.readinessLevel} />
        <Figure
          label="Max recommended devices"
          value={recommendedText(devices)}
          detail={devices === null ? 'Planned size; not measured yet' : undefined}
          origin={origins.maxRecommendedDevices}
        />
      </dl>
      <ul aria-label="Checks" className="divide-y divide-line">
        {checks.map(({ name, passed, points, detail }) => (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 px-4 py-2">
            <span className="flex items-center gap-1">
              <Flag tone={passed ? 'ok' : 'warn'}>
                {name}
                <span className="sr-only">{passed ? ' passed' : ' not passed'}</span>
              </Flag>
              <Origin figure={name} text={origins[name]} />
            </span>
            <span className="text-12 text-text-3">
              {passed ? points : 0} of {points}
            </span>
            <p className="col-span-2 text-text-2">{detail}</p>
          </li>
        ))}
      </ul>
      <h3 className="flex items-center gap-1 border-line border-t px-4 pt-3 font-semibold">
        Critical improvements
        <Origin figure="Critical improvements" text={origins.criticalImprovements} />
      </h3>
      {criticalImprovements.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-text-2">None: every check is passed.</p>
      ) : (
        <ul className="list-disc space-y-1 pt-1 pr-4 pb-4 pl-8 text-text-2">
          {criticalImprovements.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
