/** A grey place of the size of what comes, so that nothing jumps. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block rounded-s bg-idle-soft ${className}`} />;
}

type Rows = {
  /** Five, but three in route planning. How much is to come the height of the rows says. */
  rows: 3 | 5;
  className?: string;
};

/** Placeholder rows; says that something loads. */
export function SkeletonRows({ rows, className = 'h-10' }: Rows) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-2 p-4">
      {Array.from({ length: rows }, (_, n) => (
        <Skeleton key={`row-${n + 1}`} className={className} />
      ))}
    </div>
  );
}

/** Something is under way. Whoever shows it says in words what. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <span
      data-spinner
      aria-hidden
      className={`${className} animate-spin rounded-full border-2 border-line border-t-accent motion-reduce:animate-none`}
    />
  );
}
