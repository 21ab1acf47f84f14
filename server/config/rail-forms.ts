import { z } from "zod";

/** The forms of the variables about fiat providers. */

/** An http or https URL, without a slash at its end. */
export const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).transform((text) => text.replace(/\/+$/, ""));
/** A path under a URL. */
export const path = z.string().regex(/^\/[!-~]*$/, "must be a path that begins with a slash");
const NAME_SENTENCE = "must be a name of lower-case letters, digits, - and _ that begins with a letter, at most 32 characters";

/** What an order bears and a halt names. */
export const providerName = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, NAME_SENTENCE);
/** What a provider and the service sign with. */
export const railSecret = z.string().regex(/^[!-~]+$/, "must be printable characters without spaces");

/** Providers that end the orders which they began; they are given no new ones. The web process gets only name and secret. */
const formerRail = z.strictObject({
  name: providerName,
  secret: railSecret,
  order_secret: railSecret.optional(),
  url: webUrl.optional(),
  collect_path: path.default("/collections"),
  payout_path: path.default("/payouts"),
  status_path: path.default("/orders/status"),
  balance_path: path.optional(),
});
/** The JSON list of rails. An error never repeats the value, which contains secrets. */
export const formerRails = z.string().transform((text, check) => {
  const read = z.array(formerRail).safeParse(parseJson(text));
  if (read.success) return read.data;
  const [{ path: place, message } = { path: [], message: "" }] = read.error.issues;
  check.addIssue(`must be a JSON list of {name, secret, order_secret, url}: ${place.join(".") || "the value"}: ${message}`);
  return z.NEVER;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
