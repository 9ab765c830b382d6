import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type LiveEvent, liveTopics } from '../../contract/sync.ts';
import type { Database, Db } from '../db/database.ts';
import { forgetAlike, forgetKept } from '../db/lately.ts';
import { recentNotes } from './recent.ts';

const channel = 'milkrun_live';
/** More objects than this are sent as 'any of the topic'. */
const maxIds = 200;
/** NOTIFY carries less than 8,000 bytes, and refuses the whole transaction with more. */
const maxBytes = 7_900;

const note = z.object({
  topic: z.enum(liveTopics),
  ids: z.array(z.int()),
  /** Route designations concerned; null: everyone may know. */
  routes: z.array(z.string()).nullable(),
  /** Drivers concerned beside those designations. */
  users: z.array(z.int()),
  /** Ends the streams of these users' sessions: signed out, deactivated. */
  endSessions: z.array(z.string()).default([]),
});
export type LiveNote = z.output<typeof note>;

type Subscriber = {
  sees: (note: LiveNote) => boolean;
  send: (event: LiveEvent) => void;
  gap: () => void;
  end: () => void;
  sid: string;
};

/** Fans notifications of the database out to the event streams of this process. */
export type LiveHub = {
  subscribe: (subscriber: Subscriber) => () => void;
  /** Runs `heard` whenever something of a topic has changed, or may have unheard. */
  on: (topic: LiveNote['topic'], heard: () => void) => () => void;
  /** What was told in the last milliseconds; null: so far back nothing is known here. */
  toldWithin: (ms: number) => LiveNote[] | null;
  /** Open streams of this process. */
  size: () => number;
  start: (database: Database) => Promise<void>;
  stop: () => Promise<void>;
};

type Change = Partial<LiveNote> & { topic: LiveNote['topic'] };

/** Tells every process what changed, when the transaction commits. */
export const publish = (db: Db, change: Change): Promise<void> => publishAll(db, [change]);

export async function publishAll(db: Db, changes: readonly Change[]): Promise<void> {
  const notes = changes.flatMap((change) => {
    const ids = change.ids ?? [];
    return piecesOf({
      topic: change.topic,
      ids: ids.length > maxIds ? [] : ids,
      routes: change.routes ?? null,
      users: change.users ?? [],
      endSessions: change.endSessions ?? [],
    });
  });
  await db.execute(
    sql`select pg_notify(${channel}, n.note::text) from jsonb_array_elements(${JSON.stringify(notes)}::jsonb) as n(note)`,
  );
}

/** As many notes as it takes: each tells a part of those concerned. */
function piecesOf(note: LiveNote): LiveNote[] {
  const { routes, users, endSessions } = note;
  const most = Math.max(routes?.length ?? 0, users.length, endSessions.length);
  if (most < 2 || fits(note)) return [note];
  if (routes?.length === most) return halvesOf(routes).flatMap((part) => piecesOf({ ...note, routes: part }));
  if (users.length === most) return halvesOf(users).flatMap((part) => piecesOf({ ...note, users: part }));
  return halvesOf(endSessions).flatMap((part) => piecesOf({ ...note, endSessions: part }));
}

/** Written with more room between its parts than the database leaves there. */
const fits = (note: LiveNote): boolean => Buffer.byteLength(JSON.stringify(note, null, 1)) <= maxBytes;

function halvesOf<T>(list: readonly T[]): T[][] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

/** `now` counts milliseconds and never goes back. */
export function liveHub(onBadNote: (error: unknown) => void, now: () => number): LiveHub {
  const subscribers = new Set<Subscriber>();
  const listeners = new Set<{ topic: LiveNote['topic']; heard: () => void }>();
  const recent = recentNotes<LiveNote>(now);
  let unlisten: (() => Promise<void>) | null = null;
  let stopped = false;

  const hear = (database: Database, payload: string): void => {
    const parsed = parseNote(payload);
    if (!parsed) {
      onBadNote(new Error('unreadable live notification'));
      return;
    }
    // Before anybody is told: who hears of it asks again.
    if (parsed.topic === 'settings') forgetKept(database.db);
    else forgetAlike(database.db);
    if (parsed.endSessions.length === 0) recent.keep(parsed);
    for (const { topic, heard } of listeners) if (topic === parsed.topic) heard();
    for (const subscriber of subscribers) {
      if (parsed.endSessions.includes(subscriber.sid)) subscriber.end();
      else if (parsed.endSessions.length === 0 && subscriber.sees(parsed))
        subscriber.send({ topic: parsed.topic, ids: parsed.ids });
    }
  };

  return {
    subscribe: (subscriber) => {
      // A stream opened while the process stops would keep it from stopping.
      if (stopped) subscriber.end();
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    on: (topic, heard) => {
      const listener = { topic, heard };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    toldWithin: recent.within,
    size: () => subscribers.size,
    start: async (database) => {
      unlisten = await database.listen(
        channel,
        (payload) => hear(database, payload),
        () => {
          recent.startOver();
          forgetKept(database.db);
          for (const subscriber of subscribers) subscriber.gap();
          for (const { heard } of listeners) heard();
        },
      );
      recent.startOver();
    },
    stop: async () => {
      stopped = true;
      for (const subscriber of subscribers) subscriber.end();
      await unlisten?.();
    },
  };
}

function parseNote(payload: string): LiveNote | null {
  try {
    return note.parse(JSON.parse(payload));
  } catch {
    // A note of a newer release during an upgrade: reported by the caller.
    return null;
  }
}
