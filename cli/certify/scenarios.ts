import {
  different,
  first,
  gaveUp,
  knowsFailure,
  LOCKED_OUT,
  lastExit,
  of,
  oneOf,
  PAYS_TWICE,
  refusalsOf,
  type Scenario,
  sameAgain,
  settledOnce,
  some,
  waited,
} from "./judges.ts";

/** A payment that the chain refused, as its GET shows it. */
const FAILED = {
  status: "failed",
  failure_reason: "The chain reverted the transaction.",
  failed_at: new Date().toISOString(),
  tx_hash: undefined,
  executed_at: undefined,
};

/** The sandbox's admin approves what goes to a wallet with this ending, five seconds later. */
const APPROVED_WALLET = "0x1234567890abcdef1234567890abcdef12999951";

/** What a client that settles must survive. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "plain",
    title: "Quotes, confirms once, exits with 0 and ignores unknown fields",
    danger: "Nothing works.",
    judge: settledOnce,
  },
  {
    name: "idempotency key",
    title: "Sends an Idempotency-Key when it creates a settlement",
    danger: PAYS_TWICE,
    judge: (run) => (of(run, "create").some(({ idempotencyKey }) => idempotencyKey !== null) ? null : "It sent none."),
  },
  {
    name: "429",
    title: "Waits as long as Retry-After says (429), then sends the same request again",
    danger: LOCKED_OUT,
    interfere: first("create", { refuse: "rate_limited", retryAfter: 2 }),
    judge: oneOf(waited, (run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "503",
    title: "Waits and confirms again when the service is down (503)",
    danger: "A settlement gets stuck because the service was down for two seconds.",
    interfere: ({ operation, count }) =>
      operation === "confirm" && count <= 2 ? { refuse: "temporarily_unavailable", retryAfter: 1 } : null,
    judge: oneOf(waited, (run) => sameAgain(run, "confirm"), settledOnce),
  },
  {
    name: "lost quote",
    title: "Creates only one settlement when the answer to its quote is lost",
    danger: "Each lost answer leaves an unknown quote behind. If it is confirmed, you pay twice.",
    interfere: first("create", { lose: "answer" }),
    judge: oneOf((run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "lost confirmation",
    title: "Confirms with the same reference when the answer to its confirmation is lost",
    danger: PAYS_TWICE,
    interfere: first("confirm", { lose: "answer" }),
    judge: oneOf((run) => (of(run, "confirm").length > 1 ? sameAgain(run, "confirm") : null), settledOnce),
  },
  {
    name: "crash",
    title: "Does not settle the order twice when it restarts after a crash during its confirmation",
    danger: PAYS_TWICE,
    isStartedAgain: true,
    interfere: first("confirm", { lose: "answer", andThen: "kill" }),
    judge: ({ effects: { confirmed }, exits }) => {
      if (confirmed.size === 0) return "It confirmed nothing.";
      if (confirmed.size > 1) return `It confirmed ${confirmed.size} settlements for one order.`;
      return exits.at(-1) === null ? "After the restart, it did not exit." : null;
    },
  },
  {
    name: "slow answer",
    title: "Waits for an answer that takes six seconds",
    danger: "A client that gives up too early asks twice.",
    interfere: first("create", { delayMs: 6_000 }),
    judge: settledOnce,
  },
  {
    name: "409 in progress",
    title: "Waits while its first request is still being answered (409 idempotency_in_progress)",
    danger: PAYS_TWICE,
    interfere: first("create", { refuse: "idempotency_in_progress", retryAfter: 1 }),
    judge: oneOf(waited, (run) => sameAgain(run, "create"), settledOnce),
  },
  {
    name: "409 approval",
    title: "Does not retry too fast while an approval is pending (409 approval_pending)",
    danger: LOCKED_OUT,
    order: ({ maximum_source_amount: most }) => ({ source_amount: most + 1 }),
    limitMs: 6_000,
    judge: (run) => {
      const { size } = run.effects.made;
      if (size > 1) return `It created ${size} settlements instead of waiting for the first.`;
      return gaveUp(run, 8, of(run, "confirm"));
    },
  },
  {
    name: "409 changed",
    title: "Does not confirm an amount other than the quoted one (409 quote_changed)",
    danger: "Your merchant receives an amount that no one agreed to.",
    alter: (operation, answer) => (operation === "create" ? { destination_amount: Number(answer.destination_amount) + 1 } : {}),
    judge: (run) => {
      if (run.effects.confirmed.size === 0) return lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
      const named = of(run, "confirm")[0]?.body.includes("expected_destination_amount") === true;
      return named
        ? "It accepted the new amount automatically."
        : "It sent no expected_destination_amount, and confirmed one unit less than it was quoted.";
    },
  },
  {
    name: "409 conflict",
    title: "Does not invent a new reference when its own is taken (409 external_tx_id_conflict)",
    danger: PAYS_TWICE,
    interfere: ({ operation }) => (operation === "confirm" ? { refuse: "external_tx_id_conflict" } : null),
    judge: (run) => {
      const references = different(of(run, "confirm").map(({ externalTxId }) => externalTxId));
      if (references.length > 1) return `It tried other references: ${references.join(", ")}.`;
      return gaveUp(run, 2, of(run, "confirm"));
    },
  },
  {
    name: "410",
    title: "Does not confirm an expired quote again (410), and uses a new Idempotency-Key for a new quote",
    danger: "It retries forever on a quote that no longer counts.",
    // Moving the sandbox's clock would expire all other quotes too.
    interfere: ({ operation, txId, made }) => {
      const now = new Date().toISOString();
      const [first] = made.keys();
      const isExpired = operation === "confirm" && txId === first;
      return isExpired ? { refuse: "quote_expired", members: { expired_at: now, server_time: now } } : null;
    },
    judge: (run) => {
      const [expired] = run.effects.made.keys();
      const again = of(run, "confirm").filter(({ txId }) => txId === expired).length;
      if (again > 1) return `It confirmed the expired quote ${again} times.`;
      const keys = some(of(run, "create").map(({ idempotencyKey }) => idempotencyKey));
      if (new Set(keys).size < keys.length) return "It requested a new quote with the old Idempotency-Key, and got the old quote.";
      return run.effects.confirmed.size === 0 && lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
    },
  },
  {
    name: "failed",
    title: "Does not exit with 0 when the payment has failed",
    danger: "Your books say that the merchant was paid, and nothing was.",
    alter: (operation, { status }) => (operation === "get" && status === "executed" ? FAILED : {}),
    limitMs: 20_000,
    judge: oneOf((run) => (run.effects.confirmed.size === 0 ? `It confirmed nothing${refusalsOf(run)}.` : null), knowsFailure),
  },
  {
    name: "approved",
    title: "Waits for an approval, reads the new price, and confirms it",
    danger: "An approved settlement expires, or your merchant receives an amount that no one agreed to.",
    order: ({ maximum_source_amount: most }) => ({ source_amount: most + 1, wallet_address: APPROVED_WALLET }),
    // An approval prices again: the price from before it is not the one to confirm.
    alter: (operation, answer) => (operation === "create" ? { destination_amount: Number(answer.destination_amount) + 1 } : {}),
    judge: oneOf(settledOnce, (run) =>
      of(run, "confirm").some(({ body, status }) => status === 200 && body.includes("expected_destination_amount"))
        ? null
        : "It confirmed without expected_destination_amount, so it may have been another price.",
    ),
  },
  {
    name: "query",
    title: "Signs a query as it is sent, whatever the order of its parameters",
    danger: "Some of your requests are refused (401), and you do not see why.",
    given: ({ chain }: { chain?: string }) => ({
      QUERY: `status=executed&external_merchant_id=certify&chain=${encodeURIComponent(chain ?? "")}`,
    }),
    judge: oneOf((run) => {
      const listed = of(run, "list_settlements");
      if (listed.length === 0) return "It did not list settlements with QUERY.";
      return listed.some(({ status }) => status === 200) ? null : `It listed settlements with QUERY, and was refused${refusalsOf(run)}.`;
    }, settledOnce),
  },
  {
    name: "401",
    title: "Stops when its key was revoked (401)",
    danger: LOCKED_OUT,
    interfere: () => ({ refuse: "revoked_api_key" }),
    judge: (run) => gaveUp(run, 3, run.seen),
  },
  {
    name: "422",
    title: "Stops when its order is refused (422)",
    danger: LOCKED_OUT,
    order: () => ({ wallet_address: "0x70997970c51812dc3A010C7d01b50e0d17dc79C8" }),
    judge: (run) => gaveUp(run, 1, of(run, "create")),
  },
  {
    name: "clock",
    title: "Uses the service's time, or stops, when its own clock is an hour off (401 stale_timestamp)",
    danger: "A machine with a wrong clock cannot send any request.",
    clockOffsetSeconds: 3_600,
    judge: (run) => {
      const stale = run.seen.filter(({ code }) => code === "stale_timestamp").length;
      if (stale > 3) return `It was refused ${stale} times because its clock is wrong.`;
      return run.effects.confirmed.size === 0 && lastExit(run) === 0 ? "It exited with 0, but settled nothing." : null;
    },
  },
];
