import type { ProviderWord } from "./fiat.ts";

/** One call of the sandbox's simulated provider, this long (business time) after it got the order. */
export type SimulatedCall = ProviderWord & { afterSeconds: number };

/** What the simulated provider does with an order. */
export type SimulatedPlan =
  | { refusal: string }
  | {
      refusal: null;
      /** It takes the order, and says afterwards that it does not know it. */
      isForgotten: boolean;
      /** Its answer to a question, from `settlesAfterSeconds` on. */
      outcome: ProviderWord;
      settlesAfterSeconds: number;
      calls: readonly SimulatedCall[];
    };

const MOMENT = 3;
const SLOW = 600;
const TOO_LATE = 25 * 3_600;

/** How the simulated provider behaves, by the last six characters of the account. Any other account is paid after a moment. */
export const SIMULATED_ACCOUNTS = {
  "999901": "fails",
  "999902": "is slow: ten minutes",
  "999903": "calls three times",
  "999904": "says paid, then failed",
  "999905": "says failed, then paid",
  "999906": "pays, and never calls",
  "999907": "pays twice, under two references",
  "999908": "fails, and never calls",
  "999909": "refuses the order",
  "999910": "pays after 25 hours: a top-up has expired by then",
  "999911": "takes the order, and an hour later does not know it",
} as const;

/** The outcome of an order for this account, with the provider's `reference`. */
export function planSimulatedOrder(account: string, reference: string): SimulatedPlan {
  const paid: ProviderWord = { status: "succeeded", reference, reason: null };
  const failed: ProviderWord = { status: "failed", reference, reason: "The account does not exist." };
  const plan = (outcome: ProviderWord, calls: readonly ProviderWord[], after = MOMENT): SimulatedPlan & { refusal: null } => ({
    refusal: null,
    isForgotten: false,
    outcome,
    settlesAfterSeconds: after,
    calls: calls.map((word, index) => ({ ...word, afterSeconds: after + index })),
  });
  switch (account.slice(-6)) {
    case "999901":
      return plan(failed, [failed]);
    case "999902":
      return plan(paid, [paid], SLOW);
    case "999903":
      return plan(paid, [paid, paid, paid]);
    case "999904":
      return plan(paid, [paid, failed]);
    case "999905":
      return plan(failed, [failed, paid]);
    case "999906":
      return plan(paid, []);
    case "999907":
      return plan(paid, [paid, { ...paid, reference: `${reference}_again` }]);
    case "999908":
      return plan(failed, []);
    case "999909":
      return { refusal: "The account is closed." };
    case "999910":
      return plan(paid, [paid], TOO_LATE);
    case "999911":
      return { ...plan(paid, []), isForgotten: true };
    default:
      return plan(paid, [paid]);
  }
}
