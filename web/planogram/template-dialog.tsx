import type { MachinePlanogram } from '../../contract/machines.ts';
import { type PlanogramChange, planogramChanges, withTemplate } from '../../domain/planogram-change.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { StateView } from '../ui/state-view.tsx';
import type { SavePlanogram } from './api.ts';

type Template = NonNullable<MachinePlanogram['template']>;
type Props = { planogram: MachinePlanogram; template: Template; save: SavePlanogram; onClose: () => void };

/** What the template would change on this machine, before it does. */
export function TemplateDialog({ planogram, template, save, onClose }: Props) {
  const wanted = withTemplate(planogram.slots, template.slots);
  const changes = planogramChanges(planogram.slots, wanted);
  const done = `Template of ${template.model} applied`;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Apply the template of ${template.model}?`}
      description={changes.length > 0 ? summaryOf(changes) : ''}
      footer={
        <>
          <Button className="max-lg:min-h-12" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            className="max-lg:min-h-12"
            disabled={changes.length === 0}
            pending={save.isPending}
            pendingLabel="Applying..."
            onClick={() => save.mutate({ slots: wanted, done }, { onSuccess: onClose })}
          >
            Apply Template
          </Button>
        </>
      }
    >
      {changes.length === 0 ? (
        <StateView icon="check" title="Nothing changes" text="This machine is as the template says." />
      ) : (
        <ul aria-label="Changes">
          {changes.map((change) => (
            <li
              key={`${change.kind}-${change.slotNumber}`}
              className="grid grid-cols-[3.5rem_5.5rem_minmax(0,1fr)] gap-2 border-line border-b py-2 last:border-b-0"
            >
              <span className="font-semibold">{change.slotNumber}</span>
              <span className="text-text-2">{words[change.kind]}</span>
              <span>{sentenceOf(change)}</span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

const words: Record<PlanogramChange['kind'], string> = {
  added: 'Added',
  removed: 'Removed',
  moved: 'Moved',
  product: 'Product',
  changed: 'Changed',
};

function sentenceOf(change: PlanogramChange): string {
  switch (change.kind) {
    case 'added':
      return change.productName;
    case 'removed':
      return change.units > 0 ? `${change.productName}, ${comesOut(change.units)}` : change.productName;
    case 'moved':
      return `${change.productName} from ${change.from}`;
    case 'product':
      return change.units > 0
        ? `${change.from} to ${change.productName} at the next service, ${comesOut(change.units)}`
        : `${change.from} to ${change.productName}`;
    case 'changed':
      return `${change.productName}: ${change.fields.join(', ')}`;
  }
}

const comesOut = (units: number): string => `${countOf(units, 'unit')} ${units === 1 ? 'comes' : 'come'} out`;

function summaryOf(changes: readonly PlanogramChange[]): string {
  const count = (kinds: readonly PlanogramChange['kind'][]): number =>
    changes.filter((change) => kinds.includes(change.kind)).length;
  const others = countOf(count(['moved', 'product', 'changed']), 'change');
  return `${countOf(count(['added']), 'slot')} added, ${count(['removed'])} removed, ${others} to others. It can be taken back right after.`;
}
