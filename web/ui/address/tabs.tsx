import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { formatNumber } from '../../http/format.ts';

type Tab<V extends string> = { value: V; label: string; count?: number | string | undefined };
type Props<V extends string> = {
  label: string;
  tabs: readonly Tab<V>[];
  value: V;
  onChange: (value: V) => void;
  /** In the field the tabs share the width: half a phone for each thumb. */
  size?: 'office' | 'field';
  /** Stands on the page itself, in line with its heading, and not in a card. */
  onPage?: boolean;
  children: ReactNode;
};

/** Tabs with their one open panel; arrow keys move between them. */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  size = 'office',
  onPage = false,
  children,
}: Props<V>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const names = tabs.map((tab) => tab.value).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other tabs move the open one to another place.
  useEffect(() => showOpen(list.current), [value, names]);
  const move = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <>
      <div className={`border-line border-b print:hidden ${size === 'field' ? 'mx-4' : ''}`}>
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className={
            size === 'field'
              ? 'grid auto-cols-fr grid-flow-col'
              : `fade-end flex gap-6 overflow-x-auto overflow-y-hidden ${onPage ? 'max-lg:-mr-4' : 'pl-4'}`
          }
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              id={`${id}-${tab.value}`}
              type="button"
              role="tab"
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
              className={`inline-flex items-center gap-2 whitespace-nowrap border-transparent border-b-2 font-medium text-text-2 aria-selected:border-accent aria-selected:font-semibold aria-selected:text-accent ${size === 'field' ? '-mb-px h-12 justify-center text-16' : 'h-10 shrink-0 max-lg:h-12 max-lg:min-w-11 max-lg:justify-center'}`}
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className="font-medium text-12 text-text-3">
                  {typeof tab.count === 'number' ? formatNumber(tab.count) : tab.count}
                </span>
              )}
            </button>
          ))}
        </div>
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        data-tab={tabs.find((tab) => tab.value === value)?.label}
        className={`print:before:block print:before:font-semibold print:before:content-[attr(data-tab)] ${onPage ? 'pt-4 print:pt-0 print:before:pb-4' : 'print:before:px-4 print:before:py-2'}`}
      >
        {children}
      </div>
    </>
  );
}

/** On a phone the open tab may be outside the strip: it is moved in, and the page stays where it is. */
function showOpen(list: HTMLElement | null): void {
  const open = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (!list || !open) return;
  const left = open.offsetLeft - list.offsetLeft;
  const isSeen = left >= list.scrollLeft && left + open.offsetWidth <= list.scrollLeft + list.clientWidth;
  if (!isSeen) list.scrollLeft = left - (list.clientWidth - open.offsetWidth) / 2;
}
