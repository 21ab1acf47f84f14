import { targetOf } from "#domain/callback.ts";

/** `.` and `..`, also percent-encoded: clients and proxies shorten such a path. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
/** The longest URL that is accepted (contract, part 4), in characters. */
export const MAX_URL_LENGTH = 2_048;

/** `target`: path and query byte for byte as they were given. */
export type UrlForm = { url: URL; target: string } | { reason: string };

/**
 * Whether a text has the form of a callback URL (contract, part 4): absolute `https` (or `http` where that is allowed), without credentials
 * or fragment. Stricter than the URL parser, which repairs what it can: a URL is called only exactly as the partner wrote it.
 */
export function readUrlForm(text: string, allowHttp: boolean): UrlForm {
  if (text.length > MAX_URL_LENGTH) return { reason: `The URL must have at most ${MAX_URL_LENGTH} characters.` };
  // Characters that a parser would drop, trim, change or encode, so that the URL could not be called as given.
  if (!/^[\u0021-\u007e]*$/.test(text) || /["<>\\]/.test(text)) {
    return {
      reason:
        "The URL must consist of ASCII without spaces, control characters, quotation marks, < , > and backslashes: percent-encode them.",
    };
  }
  const scheme = allowHttp ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  if (!scheme.test(text)) return { reason: `The URL must be absolute and begin with ${allowHttp ? "https:// or http://" : "https://"}.` };
  if (text.includes("#")) return { reason: "The URL must not have a fragment." };
  if (/^[a-z]+:\/\/[^/?]*@/i.test(text)) return { reason: "The URL must not carry credentials." };
  const url = URL.parse(text);
  if (url === null || url.hostname === "" || url.port === "0") return { reason: "The URL cannot be read." };
  const { path, target } = targetOf(text);
  if (path.split("/").some((segment) => DOT_SEGMENT.test(segment))) return { reason: "The URL's path must not have dot segments." };
  return { url, target };
}
