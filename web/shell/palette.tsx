import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type SearchResult, search } from '../../contract/dashboard.ts';
import { may } from '../../domain/permissions.ts';
import { useSession } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDay } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { screens } from '../screens.tsx';
import { Button } from '../ui/button.tsx';
import { useBackdrop } from '../ui/dialogs/dialog.tsx';
import { openOnTop } from '../ui/dialogs/top-dialog.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { actions } from './actions.ts';

const icons: Record<SearchResult['kind'], IconName> = {
  market: 'market',
  vending_machine: 'machine',
  product: 'box',
  route: 'route',
  person: 'person',
};
const headings: Record<SearchResult['kind'], string> = {
  market: 'Markets',
  vending_machine: 'Vending Machines',
  product: 'Products',
  route: 'Routes',
  person: 'People',
};
const kinds = Object.keys(headings) as SearchResult['kind'][];

/** As much as the server searches for. */
const mostSearched = 100;

/** Where a found thing is opened. */
function addressOf(found: SearchResult): string {
  if (found.kind === 'market') return `/markets/${found.id}`;
  if (found.kind === 'vending_machine') return `/vending-machines/${found.id}`;
  if (found.kind === 'route') return `/daily-schedule?route=${found.id}`;
  if (found.kind === 'product') return `/products/${found.id}`;
  return `/admin-dashboard?q=${encodeURIComponent(found.detail)}`;
}

const group =
  'p-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-12 [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-text-3';
const item =
  'flex h-10 cursor-pointer items-center gap-3 rounded px-2 data-[selected=true]:bg-accent-soft max-lg:h-auto max-lg:min-h-12 max-lg:py-1';

/** Finds any market, machine, product, route, person or screen, from anywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const isSmall = useSmallScreen();
  const [, navigate] = useLocation();
  const { person } = useSession();
  const [text, setText] = useState('');
  const place = useRef<HTMLDialogElement>(null);
  const backdrop = useBackdrop(onClose);
  // The platform's dialog: the library's own writes a style into the page, which the content-security policy refuses.
  useEffect(() => {
    if (!place.current) return;
    const leaveTop = openOnTop(place.current);
    place.current.querySelector('input')?.focus();
    return leaveTop;
  }, []);
  const asked = useDeferredValue(text.trim());
  const found = useQuery({ ...queryFor(search, { query: { q: asked } }), enabled: asked.length > 0 });
  const open = (address: string): void => {
    onClose();
    navigate(address);
  };
  const words = text.trim().toLowerCase();
  const matching = screens.filter(
    (screen) =>
      !screen.path.includes(':') && may(person.role, screen.needs) && screen.label.toLowerCase().includes(words),
  );
  const doable = actions.filter(
    ({ label, needs, also }) =>
      may(person.role, needs) && words !== '' && `${label} ${also}`.toLowerCase().includes(words),
  );
  return (
    <dialog
      ref={place}
      aria-label="Find or do anything"
      onClose={onClose}
      {...backdrop}
      className="mx-auto mt-[10dvh] mb-auto w-[calc(100vw-32px)] max-w-[48rem] overflow-hidden rounded border border-line bg-raised p-0 text-text shadow-float"
    >
      <Command label="Find or do anything" shouldFilter={false}>
        <div className="flex items-center gap-3 border-line border-b px-4">
          <Icon name="search" size={20} />
          <Command.Input
            value={text}
            onValueChange={setText}
            maxLength={mostSearched}
            placeholder={
              isSmall
                ? 'Market, machine, product, route...'
                : 'Market, machine, product, route, person, screen or action'
            }
            className="h-14 min-w-0 flex-1 bg-transparent text-16 outline-none"
          />
          <Key name="Esc" />
        </div>
        {found.error && <NotSearched error={found.error} retry={() => void found.refetch()} />}
        <Command.List className="max-h-[60dvh] overflow-auto">
          {!found.error && (
            <Command.Empty className="p-6 text-center text-text-2">
              {found.isFetching ? 'Searching' : `Nothing found for '${text}'`}
            </Command.Empty>
          )}
          {matching.length > 0 && (
            <Command.Group heading="Screens" className={group}>
              {matching.map((screen) => (
                <Command.Item key={screen.path} value={screen.path} onSelect={() => open(screen.path)} className={item}>
                  <Icon name={screen.icon} />
                  {screen.label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {doable.length > 0 && (
            <Command.Group heading="Actions" className={group}>
              {doable.map(({ label, icon, href }) => (
                <Command.Item key={label} value={`do ${label}`} onSelect={() => open(href)} className={item}>
                  <Icon name={icon} />
                  {label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {kinds.map((kind) => (
            <Found key={kind} kind={kind} rows={found.data ?? []} onOpen={open} />
          ))}
        </Command.List>
        <p
          aria-hidden
          className="flex items-center gap-1 border-line border-t bg-subtle px-4 py-2 text-12 text-text-2 max-lg:hidden"
        >
          <Key name="↑" />
          <Key name="↓" />
          <span className="mr-3">move</span>
          <Key name="Enter" />
          open
        </p>
      </Command>
    </dialog>
  );
}

/** For eyes alone, and where there is a keyboard: a screen reader says its own keys. */
function Key({ name }: { name: string }) {
  return (
    <kbd
      aria-hidden
      className="rounded-s border border-line bg-subtle px-1 font-medium font-sans text-12 max-lg:hidden"
    >
      {name}
    </kbd>
  );
}

/** What is asked of the server was not answered; screens and actions are found all the same. */
function NotSearched({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3 text-bad-text">
      <span className="min-w-0 flex-1">{sentenceOf(error)}</span>
      <Button icon="refresh" className="max-lg:min-h-12" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

type FoundProps = {
  kind: SearchResult['kind'];
  rows: readonly SearchResult[];
  onOpen: (address: string) => void;
};

function Found({ kind, rows, onOpen }: FoundProps) {
  const own = rows.filter((row) => row.kind === kind);
  if (own.length === 0) return null;
  return (
    <Command.Group heading={headings[kind]} className={group}>
      {own.map((row) => (
        <Command.Item key={row.id} value={`${kind}:${row.id}`} onSelect={() => onOpen(addressOf(row))} className={item}>
          <Icon name={icons[kind]} />
          <span className="min-w-0 flex-1 items-center gap-3 lg:flex">
            <span className="block min-w-0 truncate">{row.title}</span>
            {/* The name is what is looked for: of the two it is cut off last. */}
            <span className="ml-auto line-clamp-2 min-w-0 shrink-999 text-12 text-text-3 lg:block lg:truncate">
              {kind === 'route' ? formatDay(row.detail) : row.detail}
            </span>
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
