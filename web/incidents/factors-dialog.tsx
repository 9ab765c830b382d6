import { useId } from 'react';
import { type IncidentFactors, incidentSeverity, typedFactors } from '../../domain/incident.ts';
import { severityLabel } from '../../domain/incident-words.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useForm } from '../ui/forms/form.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useFactors, useSetFactors } from './api.ts';

/** How much incidents slow traffic, by severity. */
export function FactorsDialog({ onClose }: { onClose: () => void }) {
  const factors = useFactors();
  if (factors.data) return <FactorsForm factors={factors.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Incident factors">
      {factors.error ? (
        <FailedView
          error={factors.error}
          retry={() => void factors.refetch()}
          title="The incident factors did not load"
        />
      ) : (
        <SkeletonRows rows={5} className="h-6" />
      )}
    </Dialog>
  );
}

function FactorsForm({ factors, onClose }: { factors: IncidentFactors; onClose: () => void }) {
  const id = useId();
  const save = useSetFactors();
  const { low, medium, high, critical } = factors;
  const form = useForm({
    schema: typedFactors,
    initial: { low: String(low), medium: String(medium), high: String(high), critical: String(critical) },
    onSubmit: async (input) => {
      await save.mutateAsync(input);
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Incident factors"
      description="How many times as long a road takes inside the circle. Drivers who can go round never lose more than the way round."
      footer={<FormButtons form={id} submitLabel="Save" pending={form.pending} onCancel={onClose} />}
    >
      <form id={id} noValidate onSubmit={form.submit} className="grid grid-cols-2 gap-4 pt-2">
        {incidentSeverity.options.map((severity) => (
          <TextField
            key={severity}
            label={severityLabel[severity]}
            inputMode="decimal"
            autoComplete="off"
            {...form.field(severity)}
          />
        ))}
        {form.failure && (
          <p role="alert" className="col-span-2 text-bad-text">
            {form.failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}
