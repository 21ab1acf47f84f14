/** Which undelivered callbacks are meant: some by their ids, or all of one cause, of one receiver, or given up since an instant. */
export type ResendSelection = { callbackIds: readonly string[] } | { cause?: string; origin?: string; since?: string };

/**
 * Why callbacks were given up, as one word: an attempt's `error_kind`, or `http_` and the status code; `unknown` when no attempt says. This
 * is advice for the people who run the receiver.
 */
export function tipFor(cause: string): string {
  const status = /^http_(\d{3})$/.exec(cause)?.[1];
  if (status !== undefined) return statusTip(Number(status));
  return TIPS[cause] ?? "Look at the last attempt for what went wrong, fix it, and resend.";
}

/** The cause in words for a heading. */
export function causeTitle(cause: string): string {
  const status = /^http_(\d{3})$/.exec(cause)?.[1];
  return status === undefined ? (TITLES[cause] ?? "Unknown") : `Answered ${status}`;
}

const TITLES: Readonly<Record<string, string>> = {
  dns: "DNS failure",
  refused: "Connection refused",
  unreachable: "Unreachable",
  timeout: "Timeout of 30 s",
  tls: "TLS error",
  reset: "Connection closed early",
  protocol: "Not valid HTTP",
  blocked_address: "Blocked address",
  malformed_url: "Malformed URL",
  internal: "A reason of our own",
};

const TIPS: Readonly<Record<string, string>> = {
  dns: "The host name does not resolve. Check the name and its DNS records.",
  refused: "Nothing listens at that address and port. Is the receiver running, and is the port right?",
  unreachable: "No route leads to the receiver. Check its firewall and network.",
  timeout: "No answer came within 30 s. Answer first, with any 2xx, and do the work afterwards.",
  tls: "The certificate was not accepted. Check its name, its end date and the intermediate certificates.",
  reset: "The receiver closed the connection before it had answered. Look into its log and its proxy's.",
  protocol: "What came back is not valid HTTP. Is the port the one of an HTTP server?",
  blocked_address: "The host leads to a private or otherwise special address, where callbacks never go. Give a public one.",
  malformed_url: "The URL can no longer be called. New settlements need another one.",
  internal: "The callback was not sent for a reason of our own. Resend it.",
};

function statusTip(status: number): string {
  if (status >= 300 && status <= 399) return "Redirects are not followed. Give the URL that it leads to.";
  if (status === 401 || status === 403) return "Does a gateway demand credentials? Let callbacks through and check their signature.";
  if (status === 404 || status === 410) return "The path does not exist there. Check the URL.";
  if (status === 405) return "The URL does not accept POST.";
  if (status === 413) return "The receiver refuses the body's size.";
  if (status === 415) return "The receiver does not accept application/json.";
  if (status === 429) return "The receiver limits its rate. Let callbacks through.";
  if (status >= 500) return "The receiver itself fails. Look into its log at the time of the last attempt.";
  return "Only 2xx counts as received.";
}
