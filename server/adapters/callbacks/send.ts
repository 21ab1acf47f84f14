import type { CallbackOutcome, OutgoingCallback, UrlVerdict } from "#domain/callback.ts";
import type { CallbackSender } from "#server/ports.ts";
import { Deadline } from "./deadline.ts";
import { newProgress, post, stopwatch, textOf } from "./exchange.ts";
import { type Admission, createGuard, type Guard, type GuardOptions } from "./guard.ts";
import { type Resolve, resolvePublicName } from "./resolve.ts";
import { statusTrouble, type Trouble, troubleOf } from "./trouble.ts";

export type CallbackSenderOptions = Omit<GuardOptions, "resolve"> & {
  /** How names become addresses; DNS when left out. */
  resolve?: Resolve;
  /** Certificates to trust instead of the machine's own, in PEM. */
  ca?: string;
};

/** How long a judgement waits for DNS before it lets the name pass: the attempts will judge it again. */
const JUDGE_TIMEOUT_MS = 2_000;

/** The sender of callbacks: see the port. Thousands of calls may be under way in one sender. */
export function createCallbackSender(options: CallbackSenderOptions): CallbackSender {
  const guard = createGuard({ ...options, resolve: options.resolve ?? resolvePublicName });
  return { judge: (url) => judge(guard, url), send: (request) => send(guard, options.ca, request) };
}

async function judge(guard: Guard, url: string): Promise<UrlVerdict> {
  const deadline = new Deadline(JUDGE_TIMEOUT_MS);
  try {
    const admission = await deadline.limit(guard(url));
    return admission.verdict === "malformed" || admission.verdict === "forbidden" ? admission : { verdict: "allowed" };
  } catch {
    return { verdict: "allowed" };
  } finally {
    deadline.clear();
  }
}

async function send(guard: Guard, ca: string | undefined, request: OutgoingCallback): Promise<CallbackOutcome> {
  const startedAt = performance.now();
  const deadline = new Deadline(request.timeoutMs, request.signal);
  const progress = newProgress();
  const lap = stopwatch();
  let trouble: Trouble | null;
  try {
    const admission = await deadline.limit(guard(request.url));
    progress.timings.dns = lap();
    if (admission.verdict !== "allowed") {
      trouble = refusalOf(admission);
    } else {
      const { url, target, addresses } = admission;
      const { headers, body } = request;
      await deadline.limit(post({ url, target, addresses, headers, body, ca, deadline }, progress));
      trouble = statusTrouble(progress.status ?? 0);
    }
  } catch (error) {
    // The verdict fell with the status line and the headers (contract, part 4): a body that breaks off or never ends changes nothing.
    trouble = progress.status === null ? (deadline.trouble ?? troubleOf(error)) : statusTrouble(progress.status);
  } finally {
    deadline.clear();
  }
  return {
    durationMs: Math.round(performance.now() - startedAt),
    timings: progress.timings,
    requestHeaders: progress.sentHeaders,
    status: progress.status,
    responseHeaders: progress.headers,
    responseBody: progress.headers && textOf(progress.chunks),
    responseBytes: progress.bytes,
    remoteAddress: progress.remoteAddress,
    trouble,
  };
}

function refusalOf(admission: Exclude<Admission, { verdict: "allowed" }>): Trouble {
  const kinds = { unresolved: "dns", forbidden: "blocked_address", malformed: "malformed_url" } as const;
  return { kind: kinds[admission.verdict], message: admission.reason };
}
