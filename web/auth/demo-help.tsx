import { formatTime } from '../http/format.ts';
import { Icon } from '../ui/icon.tsx';
import { useDemoOutbox } from './api.ts';

/** The people of the demo, by the addresses that its operator is made with. */
const people = [
  { email: 'driver101@demo.milkrun.local', who: 'Driver of route 101' },
  { email: 'driver202@demo.milkrun.local', who: 'Driver of route 202' },
  { email: 'driver505@demo.milkrun.local', who: 'Driver of route 505' },
  { email: 'manager@demo.milkrun.local', who: 'Route manager' },
  { email: 'admin@demo.milkrun.local', who: 'Administrator' },
];
const shownMessages = 3;

/** Demo only: whom to sign in as; once a code was asked for, the messages that would have been sent. */
export function DemoHelp({ codeSent, onChoose }: { codeSent: boolean; onChoose: (email: string) => void }) {
  const outbox = useDemoOutbox(codeSent);
  const messages = outbox.data?.slice(0, shownMessages) ?? [];
  return (
    <section
      aria-label="Demo"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded border border-line bg-subtle p-4"
    >
      {codeSent && (
        <div aria-live="polite">
          <h2>Messages of the demo</h2>
          <ul className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">
            {messages.map((message) => (
              <li
                key={`${message.to}${message.at}`}
                className="flex items-center gap-3 rounded border border-line bg-ground p-3"
              >
                <Icon name={message.channel === 'email' ? 'mail' : 'message'} />
                <div className="min-w-0 flex-1">
                  <p className="truncate text-text-2">{message.to}</p>
                  <p className="text-12 text-text-3">{formatTime(message.at)}</p>
                </div>
                {message.code && (
                  <span className="select-all font-semibold text-20 tracking-wider">{message.code}</span>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!codeSent && <People onChoose={onChoose} />}
    </section>
  );
}

function People({ onChoose }: { onChoose: (email: string) => void }) {
  return (
    <div>
      <h2>This is a demo. Send a code to</h2>
      <ul className="mt-2 grid gap-1">
        {people.map(({ email, who }) => (
          <li key={email}>
            <button
              type="button"
              onClick={() => onChoose(email)}
              className="flex min-h-12 w-full items-center gap-2 rounded border border-line-ctl bg-ground px-3 text-left hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{who}</span>
                <span className="block truncate text-12 text-text-2">{email}</span>
              </span>
              <Icon name="right" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
