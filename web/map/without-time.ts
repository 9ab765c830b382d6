type Used = { cachedResponse?: Response };

/**
 * What the phone kept of an answer, without the time it was given: the screens take the time of an answer for the server's clock, and
 * without signal the day would be the one when it was kept.
 */
export const withoutTime = {
  cachedResponseWillBeUsed: async ({ cachedResponse }: Used): Promise<Response | undefined> => {
    if (!cachedResponse) return undefined;
    const { body, status, statusText } = cachedResponse;
    const headers = new Headers(cachedResponse.headers);
    headers.delete('date');
    return new Response(body, { status, statusText, headers });
  },
};
