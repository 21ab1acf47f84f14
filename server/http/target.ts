import { Refusal } from "#domain/refusal.ts";

/** What below `/api` is the console's, and Next's to answer. */
const NEXT_API = /^\/api\/(?:trpc|auth|console|oidc|scim)\//;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Refuses, outside of the surfaces, requests that no page may see: targets that are not a plain path (`http://elsewhere/…`, `//elsewhere`,
 * `*`, backslashes), which a framework might take as another host, and uncommon HTTP methods. Next would answer `%ff` in a page's parameter
 * with 500, and resolve `/x/..` to another path.
 */
export function refuseTarget(method: string, path: string): Refusal | null {
  if (!path.startsWith("/")) return new Refusal("malformed_header", { detail: "The request target must be a path." });
  // Another version, another spelling: a client of the API that strays gets the API's 404 and no page.
  if (/^\/api(?:\/|$)/i.test(path) && !NEXT_API.test(path)) return new Refusal("route_not_found");
  if (!isPlainPath(path)) return new Refusal("route_not_found");
  return METHODS.includes(method) ? null : new Refusal("method_not_allowed");
}

/** One spelling of one place: percent-encoded UTF-8, without empty or dot segments and without backslashes. */
function isPlainPath(path: string): boolean {
  if (path.includes("//") || path.includes("\\")) return false;
  try {
    return !/\/\.{1,2}(?:\/|$)/.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The value of `Allow` where the front door itself refuses a method. */
export const COMMON_METHODS = METHODS.join(", ");
