import type { ImportUpload } from '../../contract/imports.ts';
import { Select } from '../ui/forms/select.tsx';
import type { Meanings } from './api.ts';
import { fieldLabel } from './wording.ts';

type Props = {
  upload: ImportUpload;
  meanings: Meanings;
  disabled: boolean;
  onChange: (column: string, field: string | null) => void;
};

const row = 'grid gap-x-4 gap-y-1 border-line border-t px-4 py-2 lg:grid-cols-[2fr_3fr_2fr] lg:items-center';

/** What each column of the file means. */
export function ColumnList({ upload, meanings, disabled, onChange }: Props) {
  const needed = new Set(upload.needs.flat());
  const options = [
    { value: '', label: 'Leave out' },
    ...upload.fields
      .map((field) => ({ value: field, label: `${fieldLabel(field)}${needed.has(field) ? ' *' : ''}` }))
      .toSorted((a, b) => Number(b.label.endsWith('*')) - Number(a.label.endsWith('*'))),
  ];
  return (
    <div>
      <div aria-hidden="true" className={`${row} border-t-0 bg-subtle font-medium text-12 text-text-3 max-lg:hidden`}>
        <span>Column in the file</span>
        <span>Samples</span>
        <span>Means</span>
      </div>
      <ul aria-label="Columns" className="max-lg:first:border-t-0">
        {upload.columns.map(({ name, sameAs, samples }) => (
          <li key={name} className={row}>
            <div className="min-w-0">
              <p className="truncate font-medium" title={name}>
                {name}
              </p>
              {sameAs !== null && (
                <p className="text-12 text-text-2">
                  {sameAs === '' ? 'Has no name in the file' : `Another column called ${sameAs}`}
                </p>
              )}
            </div>
            <p className="min-w-0 truncate text-text-2" title={samples.join('\n')}>
              {samples.length ? samples.join(', ') : <span className="text-text-3">Empty in the first rows</span>}
            </p>
            <Select
              label={`What ${name} means`}
              hideLabel
              value={meanings[name] ?? ''}
              disabled={disabled}
              error={twin(meanings, name)}
              onChange={(value) => onChange(name, value || null)}
              options={options}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says so where another column means the same. */
function twin(meanings: Meanings, column: string): string | undefined {
  const field = meanings[column];
  if (!field) return undefined;
  const other = Object.keys(meanings).find((name) => name !== column && meanings[name] === field);
  return other === undefined ? undefined : `${other} means this too: choose one`;
}
