/** In the page: promises when the frame was drawn in which the expression `isThere` came true. */
export const drawnWhen = (isThere: string): string => `
  new Promise((resolve) => {
    const look = () => {
      if (!(${isThere})) return requestAnimationFrame(look);
      // A message to oneself arrives when the frame is done.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  })`;
