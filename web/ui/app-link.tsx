import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

/** A link inside the app: changes the screen without loading the page; a new tab stays a new tab. */
export function AppLink({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const elsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0 || rest.target === '_blank';
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    router.history.push(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
