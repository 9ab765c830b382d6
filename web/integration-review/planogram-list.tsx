import type { PlanogramDifference } from '../../contract/integration-review.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDateTime, formatMoney } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button } from '../ui/button.tsx';
import { touch } from '../ui/row-to-settle.tsx';
import { useAdoptPlanogram, usePlanogramDifferences } from './api.ts';
import { PagedList, sayWhenDone } from './parts.tsx';

type Slot = PlanogramDifference['slots'][number];
type Planned = NonNullable<Slot['ours']>;

/** Machines whose planogram a partner system has otherwise; ours is changed by a person only. */
export function PlanogramList() {
  return (
    <PagedList
      usePage={usePlanogramDifferences}
      label="Planograms"
      empty="The partner systems have the same planograms as you."
    >
      {(machine) => <Machine machine={machine} />}
    </PagedList>
  );
}

function Machine({ machine }: { machine: PlanogramDifference }) {
  const { id, name, system, toldAt, slots } = machine;
  const missing = slots.filter(({ ours }) => ours === null);
  return (
    <>
      <div className="grid min-w-0 content-start gap-2">
        <p className="font-medium">
          <AppLink href={`/vending-machines/${id}`} className="hover:text-accent hover:underline">
            {name}
          </AppLink>
        </p>
        <p className="text-text-3">{`${systemLabel[system]}, told ${formatDateTime(toldAt)}`}</p>
        <p className="text-text-2">Your planogram stays as it is. Change it on the machine’s page.</p>
        {missing.length > 0 && <Adopt id={id} name={name} count={missing.length} />}
      </div>
      <ul className="grid content-start gap-1">
        {slots.map((slot) => (
          <li key={slot.slotNumber}>
            <span className="font-medium">{`Slot ${slot.slotNumber}: `}</span>
            {inWords(slot, systemLabel[system])}
          </li>
        ))}
      </ul>
    </>
  );
}

function Adopt({ id, name, count }: { id: number; name: string; count: number }) {
  const adopt = useAdoptPlanogram();
  if (!useMay('office:write')) return null;
  const label = count === 1 ? 'Add the missing slot' : `Add the ${count} missing slots`;
  return (
    <Button
      pending={adopt.isPending}
      className={`justify-self-start ${touch}`}
      onClick={() =>
        sayWhenDone(adopt.mutateAsync(id), ({ added }) => ({
          title: `${countOf(added, 'slot')} added`,
          description: name,
        }))
      }
    >
      {label}
    </Button>
  );
}

function inWords({ ours, theirs, differs }: Slot, system: string): string {
  if (!ours) return theirs ? `not here. ${system} has ${whole(theirs)}.` : '';
  if (!theirs) return `${ours.productName} here. ${system} has no such slot.`;
  return differs.map((what) => sentence(what, ours, theirs, system)).join(' ');
}

function whole({ productName, price, capacity }: Planned): string {
  const parts = [price !== null && `at ${formatMoney(price)}`, capacity !== null && `room for ${capacity}`];
  return [productName, ...parts.filter(Boolean)].join(', ');
}

function sentence(what: Slot['differs'][number], ours: Planned, theirs: Planned, system: string): string {
  if (what === 'product') return `${ours.productName} here, ${theirs.productName} in ${system}.`;
  if (what === 'price') return `${moneyOf(ours)} here, ${moneyOf(theirs)} in ${system}.`;
  return `Holds ${ours.capacity} here, ${theirs.capacity} in ${system}.`;
}

const moneyOf = ({ price }: Planned): string => (price === null ? 'No price' : formatMoney(price));
