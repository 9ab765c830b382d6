/** Ids of one source begin alike and differ at the end, so where there is no room the middle goes. */
const endLength = 8;
const longFrom = 14;

export function LongId({ id }: { id: string }) {
  if (id.length < longFrom) return <span title={id}>{id}</span>;
  return (
    <span title={id} className="flex print:inline">
      <span className="min-w-0 truncate">{id.slice(0, -endLength)}</span>
      <span className="flex-none">{id.slice(-endLength)}</span>
    </span>
  );
}
