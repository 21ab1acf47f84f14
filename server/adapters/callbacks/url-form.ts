/** The longest URL that is accepted (contract, part 4), in characters. */
export const MAX_URL_LENGTH = 2_048;

export type UrlForm = { url: URL } | { reason: string };

/**
 * Whether a text has the form of a callback URL (contract, part 4): absolute `https` (or `http` where that is allowed), without
 * credentials or fragment. Stricter than the URL parser, which mends what it can: what a partner did not write is not called.
 */
export function readUrlForm(text: string, allowHttp: boolean): UrlForm {
  if (text.length > MAX_URL_LENGTH) return { reason: `The URL must have at most ${MAX_URL_LENGTH} characters.` };
  // The parser drops tabs and line ends, trims spaces and turns backslashes around.
  if (!text.isWellFormed() || /[\u0000-\u0020\u007f-\u00a0\\]/.test(text)) {
    return { reason: "The URL must not contain spaces, control characters or backslashes." };
  }
  const scheme = allowHttp ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  if (!scheme.test(text)) return { reason: `The URL must be absolute and begin with ${allowHttp ? "https:// or http://" : "https://"}.` };
  if (text.includes("#")) return { reason: "The URL must not have a fragment." };
  if (/^[a-z]+:\/\/[^/?]*@/i.test(text)) return { reason: "The URL must not carry credentials." };
  const url = URL.parse(text);
  if (url === null || url.hostname === "" || url.port === "0") return { reason: "The URL cannot be read." };
  return { url };
}
