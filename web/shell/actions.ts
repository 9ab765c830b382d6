import type { Permission } from '../../domain/permissions.ts';
import type { IconName } from '../ui/icon.tsx';

type Action = {
  label: string;
  /** Other words for it. */
  also: string;
  icon: IconName;
  needs: Permission;
  href: string;
};

/** What can be begun from anywhere. */
export const actions: readonly Action[] = [
  { label: 'Add Market', also: 'new location', icon: 'plus', needs: 'office:write', href: '/markets?add=1' },
  { label: 'Add Machine', also: 'new vending', icon: 'plus', needs: 'office:write', href: '/vending-machines?add=1' },
  { label: 'Add Product', also: 'new catalogue', icon: 'plus', needs: 'office:write', href: '/products?add=1' },
  {
    label: 'Plan the Day',
    also: 'new route optimize drivers',
    icon: 'route',
    needs: 'office:write',
    href: '/route-planning/day',
  },
  { label: 'Import a File', also: 'csv excel upload', icon: 'upload', needs: 'office:write', href: '/import' },
  { label: 'Undo an Import', also: 'take back', icon: 'undo', needs: 'office:write', href: '/import' },
  {
    label: 'Invite a Person',
    also: 'new user driver add',
    icon: 'person',
    needs: 'people:manage',
    href: '/admin-dashboard?add=1',
  },
  {
    label: 'Change Thresholds',
    also: 'late low silent working hours',
    icon: 'settings',
    needs: 'settings:manage',
    href: '/settings',
  },
  {
    label: 'Change Alert Rules',
    also: 'thresholds digest e-mail',
    icon: 'alert',
    needs: 'office:write',
    href: '/vending-machines/alerts',
  },
  {
    label: 'Export Everything',
    also: 'backup archive download',
    icon: 'download',
    needs: 'settings:manage',
    href: '/settings',
  },
];
