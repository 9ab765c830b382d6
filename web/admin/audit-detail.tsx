import type { AuditLine } from '../../contract/audit.ts';
import { formatDateTime } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { actionInWords, changesOf, objectInWords } from './audit-words.ts';

/** One line of the log with everything that is known of it. */
export function AuditDetail({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const changes = changesOf(line.detail);
  const facts = [
    ['When', formatDateTime(line.at)],
    ['Who', line.actor ?? (line.address ? 'Not signed in' : 'Milkrun itself')],
    ['From where', line.address],
    ['Object', line.objectType && `${objectInWords(line.objectType)} ${line.object ?? ''}`.trim()],
    ['Object id', line.objectId],
    ['Hash', line.hash],
  ] as const;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={actionInWords(line.action)}
      description={`Line ${line.id} of the audit log`}
      footer={
        <Button onClick={onClose} className="max-lg:min-h-12">
          Close
        </Button>
      }
    >
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-1 pt-2">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-text-3">{label}</dt>
                <dd className="break-words">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {changes.length > 0 && (
        <table aria-label="Changes" className="mt-4 w-full table-fixed border-collapse text-left">
          <thead>
            <tr className="border-line border-b text-12 text-text-3">
              <th className="py-1 font-medium">Field</th>
              <th className="py-1 font-medium">Before</th>
              <th className="py-1 font-medium">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name} className="border-line border-b align-top last:border-b-0">
                <td className="py-1 pr-2">{name}</td>
                <td className="break-words py-1 pr-2 text-text-2">{before}</td>
                <td className="break-words py-1">{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
