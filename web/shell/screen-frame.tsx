import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { useMay, useSession } from '../auth/api.ts';
import type { Screen } from '../screens.tsx';
import { AppLink } from '../ui/address/app-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';

/** One screen: waits for its code, refuses who may not see it, and keeps the shell when it breaks. */
export function ScreenFrame({ screen }: { screen: Screen }) {
  const allowed = useMay(screen.needs);
  const closed = useSession().access?.closedScreens.some((path) => isWithin(screen.path, path)) ?? false;
  useEffect(() => {
    document.title = `${screen.label} · Milkrun`;
  }, [screen.label]);
  if (!allowed) {
    const text = `${screen.label} is for other roles. Ask an administrator if you need it.`;
    return <Refused screen={screen} title="Not for your role" text={text} />;
  }
  if (closed) {
    const text = `${screen.label} is closed for you. Ask an administrator to renew your access.`;
    return <Refused screen={screen} title="Your access has ended" text={text} />;
  }
  const Content = screen.component;
  return (
    <Boundary key={screen.path}>
      <Suspense fallback={<Waiting />}>
        <Content />
      </Suspense>
    </Boundary>
  );
}

function Refused({ screen, title, text }: { screen: Screen; title: string; text: string }) {
  return (
    <>
      <h1 className="sr-only">{screen.label}</h1>
      <StateView
        icon="lock"
        title={title}
        text={text}
        action={
          <AppLink href="/" className={`${buttonClass()} max-lg:min-h-12`}>
            Back to Dashboard
          </AppLink>
        }
      />
    </>
  );
}

const isWithin = (path: string, closed: string): boolean => path === closed || path.startsWith(`${closed}/`);

function Waiting() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 p-6 max-lg:p-4">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-64" />
    </div>
  );
}

type State = { error: unknown };

class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <FailedView error={this.state.error} title="This screen broke" retry={() => window.location.reload()} />;
  }
}
