import { AppLink } from './app-link.tsx';

type Props = { list: { href: string; label: string }; here: string };

/** The way back from one thing to the list it stands in. */
export function Breadcrumb({ list, here }: Props) {
  return (
    <nav aria-label="Breadcrumb" className="truncate text-text-2 print:hidden">
      <AppLink href={list.href} className="hover:text-accent hover:underline max-lg:inline-block max-lg:py-3">
        {list.label}
      </AppLink>
      {' / '}
      <span aria-current="page">{here}</span>
    </nav>
  );
}
