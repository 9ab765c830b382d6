import type { IntegrationState } from '../../contract/integrations.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { may } from '../../domain/permissions.ts';
import { useSession } from '../auth/api.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { addressOf, placeOf } from '../integrations/system-screens.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useKnownScreen } from '../ui/address/known-screens.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useIntegrations } from './api.ts';

type System = IntegrationState['system'];

/** What a system is for; one that is new here is known by its name alone. */
const systems: Partial<Record<System, { name: string; what: string }>> = {
  lightspeed: { name: 'Lightspeed Retail', what: 'Products, outlets and sales of market kiosks' },
  cantaloupe: { name: 'Cantaloupe', what: 'Devices and card sales of machines' },
  nayax: { name: 'Nayax', what: 'Card readers, machines and their sales' },
  moma: { name: 'MoMa', what: 'Machines, planograms and alerts' },
  nama_vdi: { name: 'NAMA VDI 2.0', what: 'Data exchange by the NAMA standard' },
};
const aboutOf = (system: System) => systems[system] ?? { name: systemLabel[system], what: 'What it tells of sales' };

const states: Record<IntegrationState['state'], { tone: Tone; label: string }> = {
  connected: { tone: 'ok', label: 'Connected' },
  'not-connected': { tone: 'idle', label: 'Not Connected' },
  failing: { tone: 'bad', label: 'Failing' },
  waiting: { tone: 'idle', label: 'Waiting' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
};

/** The systems that report sales, and the state of each as the server knows it. */
export function IntegrationsTab() {
  const { data, error, refetch } = useIntegrations();
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="Integrations did not load" />
      </Card>
    );
  }
  if (!data) return <SkeletonRows rows={5} className="h-20" />;
  return (
    <>
      <div className="grid grid-cols-3 gap-4 max-xl:grid-cols-2 max-sm:grid-cols-1">
        {data.map((state) => (
          <SystemCard key={state.system} state={state} />
        ))}
      </div>
      <Card title="Status" actions={<ReviewLink />}>
        <ul>
          {data.map((state) => (
            <li
              key={state.system}
              className="grid min-h-10 grid-cols-[minmax(10rem,1fr)_minmax(0,auto)_auto] items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2 last:border-b-0 max-lg:min-h-12 max-sm:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className="truncate font-medium">{aboutOf(state.system).name}</span>
              <span className="min-w-0 text-text-2 max-sm:order-last max-sm:col-span-2 max-sm:empty:hidden">
                {lineOf(state)}
              </span>
              <StateBadge state={state} />
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function lineOf({ state, problem, waitsUntil, lastSyncAt }: IntegrationState): string | null {
  if (problem) return problem;
  if (state === 'waiting' && waitsUntil) return `It asked us to wait until ${formatDateTime(waitsUntil)}`;
  return lastSyncAt && `Last data ${formatDateTime(lastSyncAt)}`;
}

/** To what partner systems told and a person has to decide about. */
function ReviewLink() {
  const { role } = useSession().person;
  if (!may(role, 'office:write')) return null;
  return (
    <AppLink href="/integrations/review" className={`${buttonClass()} max-lg:min-h-12`}>
      Records to review
    </AppLink>
  );
}

function StateBadge({ state }: { state: IntegrationState }) {
  const { tone, label } = states[state.state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** What Connect does where a configuration is there already, switched off or not. */
function furtherOf({ configurations }: IntegrationState): string {
  if (configurations === 0) return '';
  const has = configurations === 1 ? 'one configuration' : `${formatNumber(configurations)} configurations`;
  return ` It has ${has}; Connect adds another.`;
}

/** The word of a quiet button, which has no edge, stands below the words above it. */
const flush = '-ml-3.25';

/** Each card offers its next step first; filled is only what fails and waits for somebody. */
function ranksOf({ state, configurations }: IntegrationState) {
  if (configurations === 0) return { configure: 'quiet', connect: 'secondary' } as const;
  return { configure: state === 'failing' ? 'primary' : 'secondary', connect: 'quiet' } as const;
}

function SystemCard({ state }: { state: IntegrationState }) {
  const { name, what } = aboutOf(state.system);
  const place = placeOf(state.system);
  const { role } = useSession().person;
  // Drawn only where it leads somewhere: the screen is there, and this person may open it.
  const target = useKnownScreen(place.path);
  const isOpen = target !== undefined && may(role, target.needs);
  const { configure, connect } = ranksOf(state);
  return (
    <Card title={name} actions={<StateBadge state={state} />}>
      <div className="grid gap-2 p-4">
        <p className="text-text-2">
          {what}.{isOpen && furtherOf(state)}
        </p>
        {isOpen ? (
          <div className="flex gap-2">
            <AppLink
              href={addressOf(place)}
              className={`${buttonClass({ variant: configure })} max-lg:min-h-12 ${configure === 'quiet' ? flush : ''}`}
            >
              Configure
            </AppLink>
            <AppLink
              href={addressOf(place, 'connect=1')}
              className={`${buttonClass({ variant: connect })} max-lg:min-h-12`}
            >
              Connect
            </AppLink>
          </div>
        ) : (
          <p className="text-12 text-text-3">
            {target ? (
              'Set up by an administrator.'
            ) : (
              <>
                Cannot be connected in this version. Import its sales files with{' '}
                <code className="whitespace-nowrap">milkrun import sales FILE</code>
              </>
            )}
          </p>
        )}
      </div>
    </Card>
  );
}
