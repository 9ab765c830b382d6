import { type ComponentType, lazy, useState } from 'react';

type Loading = { component: ComponentType; preload: () => Promise<unknown> };

/**
 * A component whose code comes when it is wanted. Code that is at hand already is drawn at once: `lazy` alone would show the
 * waiting frame first even then, and React keeps a waiting frame for 300 ms.
 */
export function withCodeLater(load: () => Promise<ComponentType>): Loading {
  let atHand: ComponentType | null = null;
  const preload = async (): Promise<ComponentType> => {
    atHand ??= await load();
    return atHand;
  };
  const Later = lazy(async () => ({ default: await preload() }));
  function WithCode() {
    // Chosen once: another choice later would build the screen anew and lose what was typed.
    const [Chosen] = useState(() => atHand ?? Later);
    return <Chosen />;
  }
  return { component: WithCode, preload };
}
