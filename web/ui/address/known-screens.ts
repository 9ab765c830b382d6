import { createContext, useContext } from 'react';
import type { Permission } from '../../../domain/permissions.ts';

type Known = { path: string; needs: Permission };

/** The screens there are, for those that lead to others only where these exist. The router fills it. */
export const KnownScreens = createContext<readonly Known[]>([]);

/** The screen at a path; undefined where there is none. */
export function useKnownScreen(path: string): Known | undefined {
  return useContext(KnownScreens).find((screen) => screen.path === path);
}
