const SIGN_IN_PAGE = "/console/sign-in";

/** Where to continue after a sign-in: only pages of the console, so that a link to the sign-in cannot send anybody elsewhere. */
export function consolePageOf(next: string | null | undefined): string {
  const base = "http://console";
  if (next == null || !URL.canParse(next, base)) return "/console";
  const { origin, pathname, search } = new URL(next, base);
  const isOurs = origin === base && (pathname === "/console" || pathname.startsWith("/console/")) && pathname !== SIGN_IN_PAGE;
  return isOurs ? pathname + search : "/console";
}
