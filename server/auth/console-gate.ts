import { Refusal } from "#domain/refusal.ts";

/** The console's rate limits. */
export type ConsoleLimits = {
  /** Calls a second of one session, and of one address without one; 0: no limit. */
  callsPerSecond: number;
  /** Attempts to sign in a second from one address; 0: no limit. */
  signInsPerSecond: number;
};

/** The rate limits of the console's calls and its sign-in. All throw Refusal `rate_limited`. */
export type ConsoleGate = {
  /** One request of an address, before anything of it is read. */
  visit(address: string): void;
  /** The calls of a request, once it is known whose they are. Several of nobody: Refusal `invalid_token`, as for a session that ended. */
  call(caller: { sessionId: string | null; address: string }, calls: number): void;
  /** One file, before it is read and recorded in the audit log: one per second and person. */
  file(userId: string): void;
  /** One attempt to sign in, before a password is checked. */
  signIn(address: string): void;
};

/** A token bucket per holder and kind; null: there is no limit. */
type Buckets = {
  take(holder: string, kind: "visit" | "console" | "file" | "sign_in", perSecond: number, requests?: number): Verdict | null;
  /** What counts as one client. */
  clientOf(address: string): string;
};
type Verdict = { allowed: boolean; retryAfterSeconds: number };

/** So many people behind one address may work at once. */
const PEOPLE_AT_AN_ADDRESS = 8;

export function openConsoleGate({ callsPerSecond, signInsPerSecond }: ConsoleLimits, { take, clientOf }: Buckets): ConsoleGate {
  return {
    visit: (address) => refuse(take(clientOf(address), "visit", callsPerSecond * PEOPLE_AT_AN_ADDRESS)),
    call({ sessionId, address }, calls) {
      if (sessionId === null && calls > 1) throw new Refusal("invalid_token", { detail: "Sign in to continue." });
      refuse(take(sessionId ?? clientOf(address), "console", callsPerSecond, calls));
    },
    // A file counts as a second's worth of calls.
    file: (userId) => refuse(take(userId, "file", callsPerSecond, callsPerSecond)),
    signIn: (address) => refuse(take(clientOf(address), "sign_in", signInsPerSecond)),
  };
}

function refuse(verdict: Verdict | null): void {
  if (verdict === null || verdict.allowed) return;
  throw new Refusal("rate_limited", { retryAfterSeconds: verdict.retryAfterSeconds });
}
