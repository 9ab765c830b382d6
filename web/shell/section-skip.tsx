import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

type Section = { title: string; heading: HTMLElement };

/** What the screen is made of now, from top to bottom: its sections by their headings; a screen in one piece by its own. */
function sectionsShown(): Section[] {
  const sections = named('main section[aria-labelledby]');
  return sections.length > 0 ? sections : named('main');
}

function named(selector: string): Section[] {
  return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((section) => {
    const heading =
      document.getElementById(section.getAttribute('aria-labelledby') ?? '') ?? section.querySelector('h1');
    const title = heading?.textContent?.trim();
    return heading && title && section.checkVisibility() ? [{ title, heading }] : [];
  });
}

/** The first thing of a section is then one press of Tab away. */
function goTo(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.style.scrollMarginTop = '5rem';
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}

/** For the keyboard: past a map and a long list to a section of the screen. Seen only while it has the focus. */
export function SectionSkip() {
  const [sections, setSections] = useState<readonly Section[] | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (sections) list.current?.querySelector('button')?.focus();
  }, [sections]);
  const onKey = (event: KeyboardEvent): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) buttons.at((at + step) % buttons.length)?.focus();
    if (event.key === 'Escape') {
      setSections(null);
      opener.current?.focus();
    }
    if (step || event.key === 'Escape') event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and focus of the buttons inside pass through here.
    <div
      className="contents"
      onKeyDown={sections ? onKey : undefined}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setSections(null);
      }}
    >
      <button
        ref={opener}
        type="button"
        aria-expanded={sections !== null}
        onClick={() => setSections(sectionsShown())}
        className="sr-only z-50 rounded bg-raised p-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Go to a section
      </button>
      {sections && (
        <ul
          ref={list}
          aria-label="Sections of this screen"
          className="fixed top-2 left-2 z-50 max-h-[calc(100dvh-1rem)] overflow-y-auto rounded border border-line bg-raised p-1 shadow-float"
        >
          {sections.map(({ title, heading }, n) => (
            <li key={`${n + 1} ${title}`}>
              <button
                type="button"
                className="h-8 w-full rounded px-3 text-left hover:bg-hover max-lg:h-12"
                onClick={() => goTo(heading)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
