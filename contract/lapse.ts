/** Until when the console's server may begin with what a page asks it to do: an instant, by the server's clock. */
export const LAPSES_HEADER = "x-lapses-at";

/** What arrives after that was held up on the way: nobody waits for it any more. No header, or no instant: it does not lapse. */
export function hasLapsed(header: string | null, now: Date): boolean {
  const at = Date.parse(header ?? "");
  return !Number.isNaN(at) && at < now.getTime();
}
