import type { Role } from '../../domain/permissions.ts';

/** The person behind a call, as the server knows them. */
export type Caller = {
  userId: number;
  email: string;
  name: string;
  role: Role;
  routeDesignation: string | null;
  /** Hash of the session's cookie; null for a call made with a device credential. */
  sid: string | null;
  /** The device whose credential came with the call, if any. */
  deviceId: string | null;
  /** True when only the device credential vouches for the call: it may append events and nothing else. */
  deviceOnly: boolean;
  /** False for a person deactivated since: their events are kept for review, not booked. */
  isActive: boolean;
  /** The operator asks for a second factor that this session has not proven. */
  needsSecondStep?: boolean;
  address: string;
};
