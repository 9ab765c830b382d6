import type { MouseEvent, ReactNode } from 'react';

type Props = { section: string; children: ReactNode; className?: string };

/** Goes to the rows of a figure on the same screen, with the eye and with the keyboard. */
export function SectionLink({ section, children, className = '' }: Props) {
  const go = (event: MouseEvent): void => {
    event.preventDefault();
    const target = document.getElementById(section);
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  };
  return (
    <a href={`#${section}`} onClick={go} className={`hover:text-accent hover:underline ${className}`}>
      {children}
    </a>
  );
}
