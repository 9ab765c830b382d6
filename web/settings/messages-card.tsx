import { useSession } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useTestMessage } from './api.ts';

const ways = [
  { channel: 'email', label: 'Send a test e-mail' },
  { channel: 'sms', label: 'Send a test text message' },
] as const;

/** Whether sign-in codes go out, before somebody waits for one. */
export function MessagesCard() {
  const test = useTestMessage();
  const { isDemo } = useSession().operator;
  const notSetUp = test.data?.isSetUp === false ? test.data.problem : null;
  const notSent = notSetUp === null ? test.data?.problem : null;
  const problem = test.error ? sentenceOf(test.error) : notSent;
  return (
    <Card title="Messages">
      <div className="grid max-w-2xl gap-3 p-4">
        <p className="text-text-2">
          Sign-in codes go out by e-mail and text message. A test goes to your own address or number.
        </p>
        <div className="flex flex-wrap gap-2">
          {ways.map(({ channel, label }) => (
            <Button
              key={channel}
              className="max-lg:min-h-12"
              disabled={test.isPending}
              pending={test.isPending && test.variables === channel}
              pendingLabel="Sending..."
              onClick={() => test.mutate(channel)}
            >
              {label}
            </Button>
          ))}
        </div>
        {problem && (
          <p role="alert" className="break-words text-bad-text">
            {problem}
          </p>
        )}
        {notSetUp && (
          <p role="status" className="break-words">
            {notSetUp}
            {isDemo && ' In the demo, codes are shown where people sign in.'}
          </p>
        )}
        {test.data && !problem && !notSetUp && (
          <p role="status" className="break-words">
            Sent to {test.data.sentTo}. It should be there within a minute; if not, look among unwanted messages.
          </p>
        )}
      </div>
    </Card>
  );
}
