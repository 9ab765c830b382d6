import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FirstStep, getFirstSteps, hideFirstSteps } from '../../contract/first-steps.ts';
import { useMay } from '../auth/api.ts';
import { call, sentenceOf } from '../http/client.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { StateShape } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { StepProgress } from '../ui/charts/meter.tsx';
import { toast } from '../ui/toasts/toast.ts';

type Way = {
  title: string;
  why: string;
  done: readonly [one: string, more: string];
  href: string;
  action: string;
  /** Another way to the same end. */
  other?: { href: string; action: string };
};

const ways: Record<FirstStep, Way> = {
  depot: {
    title: 'Say where the trucks start',
    why: 'Routes begin and end at a depot.',
    done: ['depot', 'depots'],
    href: '/settings?add=depot',
    action: 'Add a depot',
  },
  locations: {
    title: 'Bring in your markets and machines',
    why: 'A list of your old system is enough: CSV or Excel, any column names.',
    done: ['location', 'locations'],
    href: '/import?kind=locations',
    action: 'Import locations',
  },
  products: {
    title: 'Bring in your products',
    why: 'With barcodes and prices, if you have them.',
    done: ['product', 'products'],
    href: '/import?kind=products',
    action: 'Import products',
  },
  stock: {
    title: 'Say what stands where',
    why: 'Slots of machines and shelves of markets, each with what it holds.',
    done: ['slot or item', 'slots and items'],
    href: '/import?kind=planogram',
    action: 'Import planograms',
  },
  people: {
    title: 'Invite a driver',
    why: 'They count on their own phone, also without signal.',
    done: ['driver', 'drivers'],
    href: '/admin-dashboard?add=1',
    action: 'Invite people',
  },
  sales: {
    title: 'Let sales come in',
    why: 'Import past sales, or connect the system that has them.',
    done: ['sale', 'sales'],
    href: '/import?kind=sales',
    action: 'Import sales',
    other: { href: '/inventory?tab=integrations', action: 'Connect a system' },
  },
  route: {
    title: 'Plan the first route',
    why: 'Milkrun says which locations are worth a visit, and in which order.',
    done: ['route', 'routes'],
    href: '/route-planning',
    action: 'Plan a route',
  },
};

/** A new operator's first hour: what is there, and the one button for what is not. */
export function FirstStepsCard() {
  const { data } = useQuery({
    ...queryFor(getFirstSteps, {}),
    // Steps are made on other screens: who comes back asks again, until there is none left.
    staleTime: ({ state }) => (state.data?.steps === null ? Number.POSITIVE_INFINITY : 0),
  });
  const client = useQueryClient();
  const mayHide = useMay('settings:manage');
  const hide = useMutation({
    mutationFn: () => call(hideFirstSteps, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: [getFirstSteps.path] }),
    onError: (error) => toast({ variant: 'destructive', title: 'Not put away', description: sentenceOf(error) }),
  });
  const steps = data?.steps;
  if (!steps) return null;
  const done = steps.filter(({ count }) => count > 0).length;
  const next = steps.find(({ count }) => count === 0)?.step;
  return (
    <Card
      title="First steps"
      actions={
        mayHide && (
          <Button variant="quiet" pending={hide.isPending} onClick={() => hide.mutate()} className="max-lg:min-h-12">
            Put away
          </Button>
        )
      }
    >
      <div className="grid gap-2 px-4 py-3">
        <p className="text-text-2">
          {done} of {steps.length} done
        </p>
        <StepProgress done={done} total={steps.length} label={`${done} of ${steps.length} steps done`} />
      </div>
      <ol className="border-line border-t">
        {steps.map(({ step, count }) => (
          <Step key={step} way={ways[step]} count={count} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

function Step({ way, count, isNext }: { way: Way; count: number; isNext: boolean }) {
  const isDone = count > 0;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2 last:border-b-0">
      <StateShape tone={isDone ? 'ok' : 'idle'} size={14} />
      <span className="min-w-48 flex-1">
        <span className={isDone ? 'text-text-2' : 'font-medium'}>{way.title}</span>
        <span className="block text-12 text-text-3">
          {isDone
            ? `${count >= 10_000 ? 'More than ' : ''}${formatNumber(count)} ${way.done[count === 1 ? 0 : 1]}`
            : way.why}
        </span>
      </span>
      {!isDone && (
        <span className="flex flex-wrap gap-2">
          {way.other && (
            <AppLink href={way.other.href} className={`${buttonClass()} max-lg:min-h-12`}>
              {way.other.action}
            </AppLink>
          )}
          <AppLink
            href={way.href}
            className={`${buttonClass({ variant: isNext ? 'primary' : 'secondary' })} max-lg:min-h-12`}
          >
            {way.action}
          </AppLink>
        </span>
      )}
    </li>
  );
}
