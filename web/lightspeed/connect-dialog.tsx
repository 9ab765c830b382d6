import { ConfigForm } from '../integrations/config-form.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { toast } from '../ui/toast.ts';
import { useConnect, useFields, useRedirectUri } from './api.ts';

const title = 'Connect Lightspeed Retail';

/** Asks for the application's ID and secret, then leaves for Lightspeed's own sign-in page. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const info = useFields();
  const connect = useConnect();
  if (!info.data) {
    return info.error ? (
      <Dialog open onClose={onClose} title={title}>
        <FailedView error={info.error} retry={() => void info.refetch()} />
      </Dialog>
    ) : null;
  }
  return (
    <ConfigForm
      system={info.data}
      config={null}
      onClose={onClose}
      title={title}
      goOn={{
        send: ({ name, settings }) => connect.mutateAsync({ name, settings }),
        label: 'Connect',
        pendingLabel: 'Going to Lightspeed...',
        description: 'You sign in at Lightspeed next. Nothing is stored before you allow it there.',
        // Lightspeed tells which store it is; asking before could only be wrong.
        without: ['domainPrefix'],
        more: <RedirectUri />,
      }}
    />
  );
}

/** Lightspeed only sends people back to addresses that were entered for the application there. */
function RedirectUri() {
  const { data } = useRedirectUri();
  if (!data) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(data.redirectUri);
    toast({ title: 'Copied' });
  };
  return (
    <div className="grid gap-1">
      <p className="font-medium text-12 text-text-2">Redirect URL for your application at Lightspeed</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all rounded border border-line bg-hover px-2 py-1 text-12">
          {data.redirectUri}
        </code>
        <Button onClick={() => void copy()} className="max-lg:min-h-12">
          Copy
        </Button>
      </div>
    </div>
  );
}
