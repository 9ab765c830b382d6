import { useId } from 'react';
import { TextField } from '../ui/forms/text-field.tsx';
import { useDesignations } from './api.ts';

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'maintenance', label: 'Maintenance' },
  { value: 'inactive', label: 'Inactive' },
];

/** A status from elsewhere stays visible as it is until another is chosen. */
export function statusesWith(status: string) {
  if (status === '' || statuses.some((one) => one.value === status)) return statuses;
  return [...statuses, { value: status, label: status }];
}

type DesignationProps = {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
  className?: string;
};

/** Any text; the designations in use are offered. */
export function DesignationField({ className = '', ...props }: DesignationProps) {
  const list = useId();
  const { data: designations = [] } = useDesignations();
  return (
    <div className={className}>
      <TextField label="Route designation" autoComplete="off" list={list} {...props} />
      <datalist id={list}>
        {designations.map((designation) => (
          <option key={designation} value={designation} />
        ))}
      </datalist>
    </div>
  );
}
