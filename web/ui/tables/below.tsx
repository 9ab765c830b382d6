type Props = {
  lines: readonly (string | null)[];
  /** The sizes at which they are hidden, because their columns have room or others stand there. */
  hidden?: string;
};

/** The columns that have no room stand below the first one: on a phone, unless sizes are named. */
export function Below({ lines, hidden = 'md:hidden' }: Props) {
  return (
    <span className={`block whitespace-normal text-12 text-text-2 ${hidden}`}>
      {lines
        .filter((line) => line !== null && line !== '')
        .map((line) => (
          <span key={line} className="block break-words">
            {line}
          </span>
        ))}
    </span>
  );
}
