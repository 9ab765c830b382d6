import { useState } from 'react';
import type { MachinePlanogram } from '../../contract/machines.ts';
import { nextInTray, trayOf } from '../../domain/trays.ts';
import { countOf, formatDate } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import type { SavePlanogram } from './api.ts';
import { useSaveTemplate } from './api.ts';
import { slotsToExport } from './export.ts';
import { TemplateDialog } from './template-dialog.tsx';

type Props = {
  machineId: number;
  planogram: MachinePlanogram;
  save: SavePlanogram;
  onAdd: (slotNumber: string) => void;
};
type Opened = 'save' | 'apply' | null;

/** Adds a slot, prints the front, keeps it as the template of its model or lays that template over it. */
export function PlanogramTools({ machineId, planogram, save, onAdd }: Props) {
  const { model, slots, template } = planogram;
  const [opened, setOpened] = useState<Opened>(null);
  const keep = useSaveTemplate(machineId);
  const close = (): void => setOpened(null);
  const taken = slots.map((slot) => slot.slotNumber);
  const lastTray = trayOf(taken.at(-1) ?? 'A');
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t px-4 py-3 print:hidden">
      <Button icon="plus" className="max-lg:min-h-12" onClick={() => onAdd(nextInTray(lastTray, taken))}>
        Add slot
      </Button>
      <Button icon="print" className="max-lg:min-h-12" onClick={() => window.print()}>
        Print planogram
      </Button>
      <ExportButton label="Export slots" exported={slotsToExport(machineId, slots)} total={slots.length} />
      <span className="flex-1 max-sm:hidden" />
      {model ? (
        <>
          <Button className="max-lg:min-h-12" disabled={slots.length === 0} onClick={() => setOpened('save')}>
            Save as template
          </Button>
          <Button className="max-lg:min-h-12" disabled={!template} onClick={() => setOpened('apply')}>
            Apply template
          </Button>
          <span className="min-w-0 text-12 text-text-3">
            {template
              ? `Template of ${template.model}: ${countOf(template.slots.length, 'slot')}, saved ${formatDate(template.savedAt)} by ${template.savedBy}`
              : `No template of ${model} yet`}
          </span>
        </>
      ) : (
        <span className="text-12 text-text-3">Set the model of this machine to use templates</span>
      )}
      {opened === 'save' && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Save as the template of ${model ?? ''}?`}
          confirmLabel="Save Template"
          pending={keep.isPending}
          onConfirm={() => keep.mutate(undefined, { onSettled: close })}
        >
          <p>
            {countOf(slots.length, 'slot')} with their products, prices and par levels are kept.
            {template && ` The template saved ${formatDate(template.savedAt)} is replaced.`} Machines stay as they are
            until the template is applied to them.
          </p>
        </ConfirmDialog>
      )}
      {opened === 'apply' && template && (
        <TemplateDialog planogram={planogram} template={template} save={save} onClose={close} />
      )}
    </div>
  );
}
