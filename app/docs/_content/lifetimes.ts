import { OVERLAPS_SECONDS } from "#domain/access.ts";
import { ATTEMPT_TIMEOUT_MS, MAX_ATTEMPTS, RETRY_DELAYS_SECONDS } from "#domain/callback.ts";
import { USUAL_LIFETIMES_SECONDS } from "#domain/pair-terms.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from "#domain/session.ts";
import { TOPUP_LIFETIME_MS } from "#domain/topup.ts";
import { duration, FACTS } from "./facts.ts";

/** How long something is valid, by which clock, and what happens then. The figures are the service's own constants. */
export type Lifetime = { what: string; lives: string; clock: "business" | "real"; after: string };

const days = (count: number) => `${count} days`;
const span = RETRY_DELAYS_SECONDS.reduce((sum, delay) => sum + delay, 0);

export const LIFETIMES: readonly Lifetime[] = [
  {
    what: "A quote",
    lives: `${duration(USUAL_LIFETIMES_SECONDS.quote)}, unless your terms say otherwise: quote_lifetime_seconds of the pair`,
    clock: "business",
    after: "Confirming it is 410 quote_expired. It stays quoted, and can be cancelled.",
  },
  {
    what: "A settlement that waits for an admin",
    lives: days(FACTS.approvalWindowDays),
    clock: "business",
    after: "It is rejected: cancelled, with a rejection_reason.",
  },
  {
    what: "An approved quote",
    lives: `${duration(USUAL_LIFETIMES_SECONDS.approved)} from the approval, unless your terms say otherwise`,
    clock: "business",
    after: "As for any quote: 410. Read expires_at in the approval callback.",
  },
  {
    what: "A top-up that nobody has paid",
    lives: duration(TOPUP_LIFETIME_MS / 1_000),
    clock: "business",
    after: "It fails, and the callback topup.failed is sent.",
  },
  {
    what: "The attempts of a callback",
    lives: `${MAX_ATTEMPTS} in ${Math.floor(span / 3_600)} h ${(span % 3_600) / 60} min`,
    clock: "business",
    after: "It is undelivered, and you can resend it.",
  },
  {
    what: "One attempt of a callback",
    lives: duration(ATTEMPT_TIMEOUT_MS / 1_000),
    clock: "real",
    after: "It has failed; the next one is due.",
  },
  {
    what: "A signed timestamp",
    lives: `${duration(FACTS.timestampToleranceSeconds)}, back and ahead`,
    clock: "real",
    after: "401 stale_timestamp.",
  },
  { what: "A nonce", lives: "once", clock: "real", after: "401 nonce_reused." },
  {
    what: "An Idempotency-Key",
    lives: duration(FACTS.idempotencyHours * 3_600),
    clock: "real",
    after: "A request with the same key is new. external_tx_id and external_id stay taken for ever.",
  },
  {
    what: "A rotated key or callback secret",
    lives: `as long as you choose: ${OVERLAPS_SECONDS.map((each) => (each === 0 ? "not at all" : days(each / 86_400).replace(/^1 days$/, "1 day"))).join(", ")} in the console`,
    clock: "real",
    after: "The old one is refused; callbacks carry only the new signature.",
  },
  {
    what: "A sign-in to the console",
    lives: `${duration(SESSION_LIFETIME_MS / 1_000)}, or ${duration(SESSION_IDLE_MS / 1_000)} without use`,
    clock: "real",
    after: "Sign in again.",
  },
  {
    what: "A quote that was never confirmed",
    lives: `${days(DEFAULT_RETENTION.lapsed_quotes)} after it expired, unless the operator keeps it for longer or shorter`,
    clock: "business",
    after: "404 settlement_not_found. Confirmed settlements are kept for ever.",
  },
  {
    what: "The log of your requests",
    lives: `${days(DEFAULT_RETENTION.api_log)}, unless the operator keeps it for longer or shorter`,
    clock: "real",
    after: "The console no longer shows it.",
  },
];
