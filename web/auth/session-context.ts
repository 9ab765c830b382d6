import { createContext } from 'react';
import type { Session } from '../../contract/auth.ts';

export const SessionContext = createContext<Session | null>(null);
