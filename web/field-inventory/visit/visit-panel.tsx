import type { LocationRef } from '../../../domain/location.ts';
import { textProblem } from '../../../domain/plain-text.ts';
import { isAmount, isEmptyVisit, lostWords } from '../../offline/day/visits.ts';
import type { VisitDraft } from '../../offline/outbox/records.ts';
import { useOfflineStatus } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { syncWords } from '../unsent/sync-words.ts';
import { useMinutesSince, useVisit, useVisitText } from './use-visit.ts';

type VisitPanelProps = {
  userId: number;
  location: LocationRef;
  isSaving: boolean;
  onFinish: (visitId: string) => void;
  currency: string;
  /** The place is not this person's any more: nothing new begins there, what was noted is still to be sent. */
  isOver?: boolean;
};

/** What belongs to the visit as a whole, and its end. */
export function VisitPanel({ userId, location, isSaving, onFinish, currency, isOver = false }: VisitPanelProps) {
  const visit = useVisit(userId, location, !isOver);
  if (!visit?.opened || (isOver && isEmptyVisit(visit))) return null;
  const { visitId, at } = visit.opened;
  return (
    <Opened
      visit={visit}
      visitId={visitId}
      openedAt={at}
      currency={currency}
      isSaving={isSaving}
      onFinish={() => onFinish(visitId)}
    />
  );
}

type OpenedProps = {
  visit: VisitDraft;
  visitId: string;
  openedAt: string;
  currency: string;
  isSaving: boolean;
  onFinish: () => void;
};

function Opened({ visit, visitId, openedAt, currency, isSaving, onFinish }: OpenedProps) {
  const status = useOfflineStatus();
  const minutes = useMinutesSince(openedAt);
  const [bagNumber, setBagNumber] = useVisitText(visit, visitId, 'bagNumber');
  const [refunds, setRefunds] = useVisitText(visit, visitId, 'refunds');
  const problem = problemOf(bagNumber, refunds);
  return (
    <section aria-label="Visit" className="grid gap-3 border-t border-line px-4 py-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-16 font-semibold text-text">Visit</h3>
        <span className="text-16 tabular-nums text-text">{minutes} min</span>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Text label="Cash bag number" value={bagNumber} maxLength={50} onChange={setBagNumber} />
        <Text
          label={`Refunds paid, ${currency}`}
          value={refunds}
          maxLength={20}
          onChange={setRefunds}
          inputMode="decimal"
        />
      </div>
      {problem && (
        <p role="alert" className="text-14 text-bad-text">
          {problem}
        </p>
      )}
      {lostWords(visit) && (
        <p role="status" className="text-14 text-warn-text">
          What you noted here before you signed out cannot be opened any more. Note again what matters, then finish the
          visit.
        </p>
      )}
      <p className="text-14 text-text-2">{syncWords(status)}</p>
      <Button
        size="thumb"
        variant="primary"
        disabled={problem !== null}
        pending={isSaving}
        pendingLabel="Saving..."
        onClick={onFinish}
      >
        Finish visit
      </Button>
    </section>
  );
}

function problemOf(bagNumber: string, refunds: string): string | null {
  const problem = textProblem(bagNumber);
  if (problem) return problem;
  return refunds.trim() === '' || isAmount(refunds) ? null : 'Enter the refunds as an amount such as 2.50.';
}

type TextProps = {
  label: string;
  value: string;
  maxLength: number;
  onChange: (text: string) => void;
  inputMode?: 'decimal';
};

function Text({ label, value, maxLength, onChange, inputMode }: TextProps) {
  return (
    <label className="grid min-w-0 gap-1 text-14 text-text-2">
      {label}
      <input
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        inputMode={inputMode}
        onChange={(event) => onChange(event.target.value)}
        className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-16 tabular-nums text-text"
      />
    </label>
  );
}
