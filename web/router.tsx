import { Route, Switch } from 'wouter';
import { SessionGate } from './auth/session-gate.tsx';
import { screens } from './screens.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { ScreenFrame } from './shell/screen-frame.tsx';
import { KnownScreens } from './ui/address/known-screens.ts';
import { latePage } from './ui/address/late-code.tsx';

const DeviceDoor = latePage(async () => (await import('./device-login/device-door.tsx')).DeviceDoor);
const Login = latePage(async () => (await import('./auth/login-screen.tsx')).LoginScreen);

/** Fetches the code of the screen at an address of this app. */
const preloadScreen = async (pathname: string): Promise<void> => {
  await screens.find((screen) => screen.path === pathname)?.preload();
};

const paths = screens.map(({ path }) => path);

/** One frame for all screens, so that changing the screen keeps the session, the menu and its scroll. */
function Inside() {
  return (
    <SessionGate preload={preloadScreen}>
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
        <Login preload={preloadScreen} />
      </Route>
      <Route path="/device-login">
        <DeviceDoor inside={() => <Inside />} />
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
  return new RegExp(`^(?:${all.map((path) => path.replace(parameter, (_, name) => valuePattern(name))).join('|')})/?$`);
}

const parameter = /:([a-z]+)/;
/** An id is a number, so that a fixed path beside it is another screen; anything else is a word. */
const valuePattern = (name: string): string => (name === 'id' ? '[1-9]\\d{0,8}' : '[a-z-]+');

/** The address of one screen. */
function patternOf(path: string): string | RegExp {
  if (!parameter.test(path)) return path;
  return new RegExp(`^${path.replace(parameter, (_, name) => `(?<${name}>${valuePattern(name)})`)}/?$`);
}
