import { z } from "zod";
import { OPERATOR_ROLES, OPERATOR_SCOPES, SCOPES } from "#domain/access.ts";
import { DECLARED_KINDS } from "#domain/booking.ts";
import { LIMIT_COUNTED_BY, LIMIT_KINDS, LIMIT_MODES, LIMIT_PURPOSES } from "#domain/exposure-limit.ts";
import { MOST_APPROVALS, MOST_RULES, POLICY_AMOUNTS, POLICY_HINTS, POLICY_VOICES } from "#domain/policy-rule.ts";
import { SAFE_VERSIONS } from "#domain/safe.ts";
import { HOLDERS, LINE_DIRECTIONS } from "#domain/suspense-line.ts";
import { TRANSFER_PURPOSES } from "#domain/transfer.ts";

/**
 * The stored content of each kind of proposal until a second person confirms it, in wire names and as plain JSON. It is parsed again at the
 * confirmation, which may be after an upgrade. So fields are added as optional ones, and none is removed while proposals may be open.
 */

const wholeText = z.string().regex(/^-?\d{1,78}$/);

/** New terms of a pair, or of one partner on it; `withdrawn` ends that partner's. Amounts are whole numbers as texts. */
export const pairTermsBody = z.object({
  source_currency: z.string(),
  destination_currency: z.string(),
  chain: z.string(),
  partner_id: z.uuid().nullable(),
  expected_version: z.int().min(0),
  withdrawn: z.boolean(),
  enabled: z.boolean(),
  spread_bps: z.int(),
  platform_fee_base: wholeText,
  minimum_source_minor: wholeText,
  maximum_source_minor: wholeText,
  two_approvals_above_minor: wholeText.nullable(),
  batch_maximum_source_minor: wholeText.nullable().optional(),
  quote_lifetime_seconds: z.int(),
  approved_lifetime_seconds: z.int(),
});

/** An operator's key that was shown to who proposed it, and opens nothing before it is confirmed. */
export const operatorKeyBody = z.object({
  name: z.string(),
  key_hash: z.string(),
  last_four: z.string(),
  sealed_secret: z.string(),
  scopes: z.array(z.enum(OPERATOR_SCOPES)),
  allowed_ips: z.array(z.string()),
  signed_management: z.union([z.boolean(), z.literal("all")]).optional(),
  expires_at: z.iso.datetime().nullable(),
});

/** A partner's key that somebody of the operator's side makes. */
export const partnerKeyBody = operatorKeyBody.extend({ partner_id: z.uuid(), partner: z.string(), scopes: z.array(z.enum(SCOPES)) });

/** A new operator's user who decides; only the password's hash is stored. */
export const operatorBody = z.object({ username: z.string(), name: z.string(), role: z.enum(OPERATOR_ROLES), password_hash: z.string() });

/** Who decides on other people's money: an operator's people, and a partner's owners where the operator's side makes them. */
const decidingRole = z.enum([...OPERATOR_ROLES, "owner"]);

/** An invitation of one. `by_mail`: the link goes to the address alone; otherwise its proposer got it. */
export const invitationBody = z.object({
  email: z.string(),
  role: decidingRole,
  token_hash: z.string(),
  partner_id: z.uuid().nullable().optional(),
  by_mail: z.boolean().optional(),
});

/** A person who becomes one. */
export const roleBody = z.object({ user_id: z.uuid(), email: z.string(), role: decidingRole });
/**
 * The lift of a halt. For a halt by unknown transactions: what the chain said, at the proposal, about the open payments that they made, and the
 * unread nonces that are accepted.
 */
export const haltLiftBody = z.object({
  halt_id: z.string(),
  lane: z.string(),
  key: z.string(),
  cause: z.string(),
  paid: z.array(z.object({ transfer_id: z.string(), hash: z.string() })).optional(),
  accepted_unread: z.array(z.int().min(0)).optional(),
});

/** A payment that the chain has and the database has lost: what was found, and which owed payment it is. */
export const restoredPaymentBody = z.object({
  transfer_id: z.string(),
  chain: z.string(),
  hash: z.string(),
  block_number: z.int().min(0),
  block_hash: z.string(),
  block_at: z.iso.datetime(),
  places: z.array(z.int().min(0).nullable()).min(1),
  /** What it cost, where one of our wallets made it; base units of the chain's coin. */
  sender: z.string(),
  gas_used: z.string().regex(/^\d+$/),
  fee_base: z.string().regex(/^\d+$/),
  native: z.object({ currency: z.string(), decimals: z.int() }),
});

/** What transactions of ours took out of the treasury without making an owed payment, according to the chain; amounts in base units. */
export const treasuryLossBody = z.object({
  chain: z.string(),
  native: z.object({ currency: z.string(), decimals: z.int() }),
  transactions: z
    .array(
      z.object({
        hash: z.string(),
        wallet: z.string(),
        /** null: `hash` is a block's, in which contracts took the coin. */
        nonce: z.int().min(0).nullable(),
        block_number: z.int().min(0),
        outflow: z.array(z.object({ currency: z.string(), decimals: z.int(), amount_base: z.string().regex(/^\d+$/) })),
        fee_base: z.string().regex(/^\d+$/),
      }),
    )
    .min(1),
});

/** A deposit of the operator's into a treasury wallet, by its transaction; in base units. It may not be on the chain yet. */
export const treasuryFundingBody = z.object({
  chain: z.string(),
  hash: z.string(),
  currency: z.string(),
  decimals: z.int(),
  amount_base: z.string().regex(/^\d+$/),
});

/** A movement that the books do not count: a Safe's, or one from wallet to wallet. */
export const movementExplanationBody = z.object({
  chain: z.string(),
  hash: z.string(),
  place: z.int(),
  holder: z.enum(HOLDERS),
  direction: z.enum(LINE_DIRECTIONS),
  amount: z.string(),
  currency: z.string(),
});

/** The right amount of an entry of the treasury that was booked wrongly, in base units; `0`: it never happened. */
export const ledgerCorrectionBody = z.object({
  entry_id: z.string(),
  chain: z.string(),
  currency: z.string(),
  decimals: z.int(),
  booked_base: z.string().regex(/^\d+$/),
  amount_base: z.string().regex(/^\d+$/),
});

/** A limit of what may be paid out; amounts in units of 10⁻¹⁸. */
export const exposureLimitBody = z.object({
  id: z.string(),
  expected_version: z.int().min(0),
  kind: z.enum(LIMIT_KINDS),
  mode: z.enum(LIMIT_MODES),
  purpose: z.enum(LIMIT_PURPOSES).nullable().optional(),
  partner_id: z.uuid().nullable(),
  source_currency: z.string().nullable(),
  destination_currency: z.string().nullable(),
  chain: z.string().nullable(),
  counted_by: z.enum(LIMIT_COUNTED_BY).nullable(),
  window_seconds: z.int().nullable(),
  amount_atto: wholeText.nullable(),
  times_maximum: z.int().nullable(),
  wait_seconds: z.int().nullable(),
  addresses: z.array(z.string()).nullable(),
});

const plainAmount = z.string().regex(/^\d{1,16}(\.\d{1,18})?$/, { error: "must be an amount" });
const name = z.string().min(1).max(64).nullable();

/** One rule of the approval policy: all that it names must be so, of its hints any one; null and empty ask for nothing. */
export const approvalRule = z.object({
  id: z.string().max(60),
  partner_id: z.uuid().nullable(),
  source_currency: name,
  destination_currency: name,
  chain: name,
  /** In units of that currency: from, that much included, and below, that much left out. */
  amount: z.object({ of: z.enum(POLICY_AMOUNTS), from: plainAmount.nullable(), below: plainAmount.nullable() }).nullable(),
  hints: z.array(z.enum(POLICY_HINTS)).max(POLICY_HINTS.length),
  approvals: z.int().min(1).max(MOST_APPROVALS),
  who: z.enum(POLICY_VOICES),
  people: z.array(z.uuid()).max(50),
});

/** A version of the approval policy: its rules in their order. */
export const approvalPolicyBody = z.object({ expected_version: z.int().min(0), rules: z.array(approvalRule).max(MOST_RULES) });

/** Another owner for the Safes of a wallet: those that this service deployed, and of the others those that are named. */
export const safeOwnerSwapBody = z.object({
  wallet_id: z.uuid(),
  chain: z.string(),
  owner: z.string(),
  others: z.array(z.object({ address: z.string(), version: z.enum(SAFE_VERSIONS) })),
});

/** What a payment is, for people who decide about it. */
const payment = { transfer_id: z.string(), owner_id: z.string(), amount: z.string(), currency: z.string(), recipient: z.string() };

/** What became of a payment under review. `tx_hash`: of the transaction that paid it. `failure_reason`: for its partner. */
export const transferResolutionBody = z.object({
  ...payment,
  outcome: z.enum(["executed", "failed", "retry"]),
  tx_hash: z.string().nullable(),
  failure_reason: z.string().nullable(),
});

/** The end of a payment that is queued, or of one under way if the chain mines the empty transaction instead. */
export const transferCancellationBody = z.object(payment);

/** A wallet that signs again. */
export const walletActivationBody = z.object({ wallet_id: z.uuid(), chain: z.string(), address: z.string(), state: z.string() });

/** The release of a held payment from the named holds. */
export const paymentReleaseBody = z.object({
  ...payment,
  purpose: z.enum(TRANSFER_PURPOSES),
  holds: z.array(z.object({ id: z.string(), check: z.string(), reason: z.string() })).min(1),
});

/** What became of an order whose result at the fiat provider is unknown. */
export const orderResolutionBody = z.object({
  kind: z.enum(["withdrawal", "topup"]),
  order_id: z.string(),
  outcome: z.enum(["moved", "refunded", "not_moved", "settled"]),
  reference: z.string().nullable(),
});

/** Money paid into a fiat pool at the provider; below zero: taken out. In minor units. */
export const poolFundingBody = z.object({ currency: z.string(), amount_minor: wholeText, reference: z.string() });

/** Movements of fiat that people declare; amounts in minor units. */
export const bookingsBody = z.object({
  bookings: z
    .array(
      z.object({
        kind: z.enum(DECLARED_KINDS),
        partner_id: z.uuid().nullable(),
        currency: z.string(),
        amount_minor: z.string().regex(/^\d{1,18}$/),
        reference: z.string(),
        order_id: z.string().nullable(),
        received_at: z.iso.datetime(),
      }),
    )
    .min(1),
});

/** A booking that is taken back. The rest says what it is, for people. */
export const bookingReversalBody = z.object({ booking_id: z.string(), kind: z.string(), amount: z.string(), reference: z.string() });
