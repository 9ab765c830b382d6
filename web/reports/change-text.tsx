import { changeSince } from '../../domain/report.ts';

type Props = {
  before: number;
  now: number;
};

/** `12.4% above the time before`, or why there is nothing to compare with. */
export function ChangeText({ before, now }: Props) {
  const change = changeSince(before, now);
  if (change === null) return <>{now === 0 ? 'None before either' : 'None in the time before'}</>;
  const percent = Math.abs(100 * change);
  if (percent < 0.05) return <>As much as the time before</>;
  return (
    <>
      <span className="font-medium text-text">{percent >= 1000 ? '10 times and more' : `${percent.toFixed(1)}%`}</span>{' '}
      {change > 0 ? 'above' : 'below'} the time before
    </>
  );
}
