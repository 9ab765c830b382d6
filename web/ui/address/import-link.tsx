import { buttonClass } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { AppLink } from './app-link.tsx';

/** Leads to the import of a file, told what it will hold where that is sure. */
export function ImportLink({ kind }: { kind?: 'locations' | 'products' }) {
  return (
    <AppLink href={kind ? `/import?kind=${kind}` : '/import'} className={`${buttonClass()} max-lg:min-h-12`}>
      <Icon name="upload" />
      Import
    </AppLink>
  );
}
