import { ConfigForm } from '../integrations/config-form.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useConnect, useFields, useRedirectUri } from './api.ts';

const title = 'Connect Lightspeed Retail';

/** Asks for the application's ID and secret, then leaves for Lightspeed's own sign-in page. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const info = useFields();
  const { connect } = useConnect();
  if (!info.data) {
    return info.error ? (
      <Dialog open onClose={onClose} title={title}>
        <FailedView error={info.error} retry={() => void info.refetch()} title="The form did not load" />
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
        send: ({ name, settings }) => connect({ name, settings }),
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
  return (
    <div className="grid gap-1">
      <p className="font-medium text-12 text-text-2">Redirect URL for your application at Lightspeed</p>
      <Copyable text={data.redirectUri} what="Redirect URL" />
    </div>
  );
}
