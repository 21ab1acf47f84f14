import type { Answers } from "#server/console/router.ts";

type Board = Answers["treasury"]["board"];
type Books = Answers["treasury"]["books"];

export type Chain = Board["chains"][number];
export type Wallet = Chain["wallets"][number];
/** A nonce of a wallet's sequence, and its signed transactions. */
export type NonceEntry = Wallet["nonces"][number];
export type Halt = Board["halts"][number];
export type UnderReview = Board["reviews"][number];
export type Review = Answers["treasury"]["review"];
export type LedgerLine = Books["balances"][number];
export type AccountLine = Answers["treasury"]["accountLines"][number];
export type Reconciliation = Books["reconciliations"][number];

export type HeldPayment = Answers["exposure"]["held"]["held"][number];
export type Limit = Answers["exposure"]["limits"]["limits"][number];

/** The decision about a held payment. */
export type HoldOrder = { what: "release" | "refuse"; payment: { purpose: string; owner_id: string } };

type SuspenseList = Answers["suspense"]["list"];
export type SuspenseLine = SuspenseList["open"][number];
export type Declared = SuspenseList["declared"][number];
type Tokens = SuspenseList["tokens"];

/** An order about a movement in suspense. */
export type SuspenseOrder =
  | { what: "declare"; tokens: Tokens; line?: SuspenseLine }
  | { what: "lose" | "explain"; line: SuspenseLine }
  | { what: "correct" };

type Withdrawals = Answers["treasuryWithdrawals"]["list"];
export type TreasuryWithdrawal = Withdrawals["data"][number];
export type WithdrawalPlace = Withdrawals["places"][number];

/** An order about a treasury withdrawal. */
export type WithdrawalOrder =
  | { what: "propose"; places: readonly WithdrawalPlace[] }
  | { what: "sign" | "reject" | "cancel"; withdrawal: TreasuryWithdrawal };
