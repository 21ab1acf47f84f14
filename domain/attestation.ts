import { createHash } from "node:crypto";
import type { AuditKey } from "./audit-key.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";

/**
 * What the service says once a day about its books, signed, and kept where it cannot change it (docs/decisions/attestations.md). Amounts are
 * texts in base or minor units.
 */
export type Attestation = {
  version: 1;
  /** The business day that it was made on, `2026-11-27`. The ledger is attested up to the beginning of that day (UTC). */
  day: string;
  /** Business time. */
  made_at: string;
  /** The hash of the first seal of the audit log, which names the installation. */
  installation: string;
  /** The public half, in base64, of the key that signs it. */
  key: string;
  /** The attestation before this one, and the SHA-256 of its file. */
  previous: { day: string; hash: string } | null;
  audit_log: { seq: number; hash: string };
  ledger: {
    /** Entries up to the beginning of the day, and what they hash to, day by day. */
    entries: number;
    digest: string;
    /** The last of them; null: there is none. */
    last_id: string | null;
    balances: AttestedBalance[];
    /** Of each asset the sums of the debits and of the credits, which are equal. */
    trial_balance: (AttestedAsset & { debit: string; credit: string })[];
  };
  /** What is owed to partners: on their accounts, in payments that are not final, in payouts that are promised. */
  liabilities: (AttestedAsset & { partner_id: string | null; kind: LiabilityKind; amount: string })[];
  pools: { currency: string; total: string; reserved: string }[];
  /** The last row of each table before the beginning of the day. */
  positions: { table: string; last_id: string }[];
  chains: AttestedChain[];
  /** How the reconciliation of the day ended. */
  reconciliation: { day: string; differences: number };
};

export const LIABILITY_KINDS = ["account", "payment", "payout"] as const;
export type LiabilityKind = (typeof LIABILITY_KINDS)[number];

/** `chain` null: fiat. */
export type AttestedAsset = { currency: string; chain: string | null; decimals: number };
export type AttestedBalance = AttestedAsset & { account: string; partner_id: string | null; amount: string };

export type AttestedChain = {
  chain: string;
  height: number;
  hash: string;
  /** Nodes that gave the same answers besides the first one. */
  confirmed_by: number;
  /** How many treasury wallets and Safes were asked about. Balances of zero are left out. */
  wallets: number;
  safes: number;
  balances: { address: string; currency: string; decimals: number; amount: string }[];
};

/** An attestation as it is kept: one line of canonical JSON with its signature. */
export function writeAttestation(attestation: Attestation, sign: NonNullable<AuditKey["attest"]>): string {
  const signature = sign(canonicalJson(attestation as Json));
  return `${canonicalJson({ attestation: attestation as Json, signature })}\n`;
}

/** What the next attestation, and the database, know it by. */
export function hashOfAttestation(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The signed text, what it says, and its signature. Null: the text is no attestation as the service writes it. */
export function readAttestation(content: string): { attestation: Attestation; text: string; signature: string } | null {
  const file = parse(content);
  if (!isRecord(file) || typeof file.signature !== "string" || !isRecord(file.attestation)) return null;
  const { attestation, signature } = file;
  if (attestation.version !== 1 || `${canonicalJson({ attestation, signature })}\n` !== content) return null;
  return { attestation: attestation as unknown as Attestation, text: canonicalJson(attestation), signature };
}

function parse(content: string): Json {
  try {
    return JSON.parse(content) as Json;
  } catch {
    return null;
  }
}

function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where attestations are kept so that the service cannot change them afterwards. */
export type AttestationFolder = {
  /** The days that have one, oldest first. */
  days(): Promise<string[]>;
  /** Writes it once. True: it is there with exactly this content, new or already. False: there is another, which stays as it is. */
  write(day: string, content: string): Promise<boolean>;
};

const DAY_MS = 86_400_000;

/** The first instant of a business day; of another text an invalid date. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The business day of an instant. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function dayAfter(day: string): string {
  return dayOf(new Date(startOfDay(day).getTime() + DAY_MS));
}

/** How far the ledger is hashed: everything before a day. */
export type LedgerDigest = { entries: number; digest: string; lastId: string | null };
export const NO_LEDGER: LedgerDigest = { entries: 0, digest: "", lastId: null };

/** The digest after one more day with entries. `pages`: what the day's entries hash to, page by page. */
export function addDay(
  before: LedgerDigest,
  day: string,
  pages: readonly { count: number; lastId: string; digest: string }[],
): LedgerDigest {
  const text = [before.digest, day, ...pages.map(({ count, digest }) => `${count} ${digest}`)].join("\n");
  return {
    entries: before.entries + pages.reduce((sum, { count }) => sum + count, 0),
    digest: createHash("sha256").update(text).digest("hex"),
    lastId: pages.at(-1)?.lastId ?? before.lastId,
  };
}

/** Of each asset the sum of the debits and of the credits. */
export function trialBalance(balances: readonly AttestedBalance[]): Attestation["ledger"]["trial_balance"] {
  const sums = new Map<string, { asset: AttestedAsset; debit: bigint; credit: bigint }>();
  for (const { currency, chain, decimals, amount } of balances) {
    const key = `${currency} ${chain ?? ""}`;
    const sum = sums.get(key) ?? { asset: { currency, chain, decimals }, debit: 0n, credit: 0n };
    const value = BigInt(amount);
    if (value > 0n) sum.debit += value;
    else sum.credit -= value;
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ asset, debit, credit }) => ({ ...asset, debit: String(debit), credit: String(credit) }));
}
