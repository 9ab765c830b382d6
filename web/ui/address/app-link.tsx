import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useLocation } from 'wouter';

/** A link inside the app: changes the screen without loading the page; a new tab stays a new tab. */
export function AppLink({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const [, navigate] = useLocation();
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const elsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || rest.target === '_blank';
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
