import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { SessionGate } from './auth/session-gate.tsx';
import { screens } from './screens.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { ScreenFrame } from './shell/screen-frame.tsx';
import { KnownScreens } from './ui/known-screens.ts';

const Login = lazy(async () => ({ default: (await import('./auth/login-screen.tsx')).LoginScreen }));

const paths = screens.map(({ path }) => path);

/** One frame for all screens, so that changing the screen keeps the session, the menu and its scroll. */
function Inside() {
  return (
    <SessionGate>
      <KnownScreens value={screens}>
        <Layout>
          {screens.map((screen) => (
            <Route key={screen.path} path={patternOf(screen.path)}>
              <ScreenFrame screen={screen} />
            </Route>
          ))}
        </Layout>
      </KnownScreens>
    </SessionGate>
  );
}

export function Router() {
  return (
    <Switch>
      <Route path="/login">
        <Suspense>
          <Login />
        </Suspense>
      </Route>
      <Route path={anyOf(paths)}>
        <Inside />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** The paths of all screens as one pattern. */
function anyOf(all: readonly string[]): RegExp {
  return new RegExp(`^(?:${all.map((path) => path.replaceAll(parameter, idPattern)).join('|')})/?$`);
}

const parameter = ':id';
const idPattern = '[1-9]\\d{0,8}';

/** The address of one screen; a place for an id takes numbers only, so that a fixed path beside it is another screen. */
function patternOf(path: string): string | RegExp {
  return path.includes(parameter) ? new RegExp(`^${path.replace(parameter, `(?<id>${idPattern})`)}/?$`) : path;
}
