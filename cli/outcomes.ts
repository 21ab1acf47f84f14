import { SIMULATED_WALLETS, type SimulatedWallet } from "#domain/simulated-wallet.ts";
import type { ErrorCode, Pair, Settlement } from "#sdk/typescript/src/index.ts";
import type { Profile } from "./profile.ts";
import { walletOfNobody } from "./wallets.ts";

export type SandboxPlaces = NonNullable<Profile["sandbox"]>;

/** One outcome of a settlement, how a sandbox is made to produce it, and how to recognise it. */
export type Outcome = {
  about: string;
  wallet(places: SandboxPlaces): string;
  amount(pair: Pair): number;
  /** The action after the quote. `lapse`: first moves the sandbox's clock beyond its expiry. */
  next: "confirm" | "cancel" | "lapse" | "wait";
  isThere(settlement: Settlement): boolean;
  /** It ends with this refusal, without a settlement that shows it. */
  refusal?: ErrorCode;
};

const usual = (pair: Pair) => Math.min(pair.minimum_source_amount * 10, pair.maximum_source_amount);
const aboveMaximum = (pair: Pair) => pair.maximum_source_amount + 1;
/** More than any sandbox's treasury has, with few enough digits to be written. */
const beyondTreasury = () => 10 ** 15;

const is = (status: Settlement["status"]) => (settlement: Settlement) => settlement.status === status;
const anyWallet = () => walletOfNobody();
const ending = (end: SimulatedWallet) => ({ about: SIMULATED_WALLETS[end], wallet: () => walletOfNobody(end) });

export const OUTCOMES = {
  executed: { about: "paid and final", wallet: anyWallet, amount: usual, next: "confirm", isThere: is("executed") },
  failed: {
    about: "the chain refuses the payment, so the tokens do not move to that wallet",
    wallet: ({ blocked_wallet }) => blocked_wallet,
    amount: usual,
    next: "confirm",
    isThere: is("failed"),
  },
  held: {
    about: "the wallet is on the sandbox's address list: it stays processing until an admin releases or refuses it",
    wallet: ({ named_wallet }) => named_wallet,
    amount: usual,
    next: "confirm",
    isThere: ({ waiting_reason }) => waiting_reason === "hold",
  },
  stuck: { ...ending("999953"), amount: usual, next: "confirm", isThere: is("executed") },
  reorganised: { ...ending("999954"), amount: usual, next: "confirm", isThere: is("executed") },
  approved: { ...ending("999951"), amount: aboveMaximum, next: "confirm", isThere: is("executed") },
  rejected: { ...ending("999952"), amount: aboveMaximum, next: "wait", isThere: is("cancelled") },
  pending: {
    about: "above the maximum and still undecided: approve or reject it in the console",
    wallet: anyWallet,
    amount: aboveMaximum,
    next: "wait",
    isThere: ({ approval_state }) => approval_state === "pending",
  },
  cancelled: { about: "cancelled by you", wallet: anyWallet, amount: usual, next: "cancel", isThere: is("cancelled") },
  expired: {
    about: "confirmed too late (410 quote_expired); it moves the clock of the whole sandbox",
    wallet: anyWallet,
    amount: usual,
    next: "lapse",
    isThere: () => false,
    refusal: "quote_expired",
  },
  unpayable: {
    about: "more than the treasury can pay (503 liquidity_unavailable)",
    wallet: anyWallet,
    amount: beyondTreasury,
    next: "wait",
    isThere: () => false,
    refusal: "liquidity_unavailable",
  },
} as const satisfies Record<string, Outcome>;

export const OUTCOME_NAMES = Object.keys(OUTCOMES);

export function findOutcome(name: string): Outcome | null {
  return Object.hasOwn(OUTCOMES, name) ? OUTCOMES[name as keyof typeof OUTCOMES] : null;
}
