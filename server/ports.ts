import type { Decimal } from "#server/domain/decimal.ts";

/**
 * What the service needs from the outside world. Adapters fulfil these types; services are handed them through the context.
 * Adapters know two kinds of trouble: `Unreachable` (try again, nothing is known) and `Rejected` (a fact).
 */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
export class Rejected extends Error {
  override readonly name = "Rejected";
}

/** Real time. Business time is the database's (`db/queries/clock.ts`). */
export type Clock = { now(): Date };

/** Seals secrets for storage (AES-256-GCM under a key with an id) and opens them again. */
export type Vault = { seal(plain: string): string; open(sealed: string): string };

export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
};

/** Figures that only a service knows: it notes them through this, since measuring itself happens at the doors. Never throws, never waits. */
export type Meter = {
  transferMoved(note: { chain: string; from: string; to: string }): void;
  /** `units`: a plain decimal in units of the currency. */
  treasuryBalance(note: { chain: string; wallet: string; currency: string; units: string }): void;
  /** A node answered just now: its newest block, and how old that is. `node` is a short name, never a URL with a key in it. */
  chainHead(note: { chain: string; node: string; height: number; lagSeconds: number }): void;
};

/** The chains and tokens this installation pays on: configuration, the same in every process. */
export type ChainDirectory = { list(): readonly ChainInfo[]; find(chain: string): ChainInfo | null };
export type ChainInfo = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** Blocks on top of a transaction's own, itself included, before it counts as final. */
  confirmations: number;
  tokens: readonly TokenInfo[];
};
export type TokenInfo = {
  currency: string;
  /** null: the chain's native coin. */
  address: string | null;
  decimals: number;
};

/** One price as a source tells it: `destination` units per one major unit of `source`, before any spread. */
export type RateObservation = { sourceCurrency: string; destinationCurrency: string; midRate: Decimal; source: string; asOf: Date };
/** Where mid rates come from. Answers what it could get; a pair that is missing has no fresh rate. */
export type RateSource = { name: string; observe(pairs: readonly CurrencyPair[], signal: AbortSignal): Promise<RateObservation[]> };
export type CurrencyPair = { sourceCurrency: string; destinationCurrency: string };

/** Judges and sends callbacks. One guard serves creation, resend and every attempt (contract, part 4). */
export type CallbackSender = {
  /**
   * Whether a URL may be called, as far as can be told now: `allowed`, or `forbidden` when the host is or resolves to a
   * special address, or `malformed` when it is no URL of the required form. A name that does not resolve is allowed.
   */
  judge(url: string): Promise<UrlVerdict>;
  /** One POST, within the deadline whatever the receiver does. Never throws: every trouble is a result. */
  send(request: OutgoingCallback): Promise<CallbackOutcome>;
};
export type UrlVerdict = { verdict: "allowed" } | { verdict: "malformed" | "forbidden"; reason: string };
export type OutgoingCallback = { url: string; headers: Record<string, string>; body: string; timeoutMs: number; signal?: AbortSignal };
export type CallbackOutcome = {
  durationMs: number;
  /** null: no answer. */
  status: number | null;
  responseHeaders: Record<string, string> | null;
  /** The first 4 KiB of the answer. */
  responseBody: string | null;
  remoteAddress: string | null;
  /** null: delivered (a 2xx). */
  trouble: { kind: string; message: string } | null;
};
