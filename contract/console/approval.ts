import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import type { SettlementWire } from "#contract/settlement/v1/settlement.ts";
import { type ApprovalRule, approvalsNeeded } from "#domain/approval.ts";
import { compare, type Decimal, divideDown, floorToUnits, formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal } from "#domain/money.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { fiatAmount, type QuoteWire, renderQuote, type SettlementRowWire } from "./settlement.ts";

const decimalText = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, { error: "must be a plain decimal" });
const txId = plainText(1, 64);

/** A decimal as a text: the console does no arithmetic with floating point. */
export const approveInput = z.strictObject({ tx_id: txId, expected_exchange_rate: decimalText, note: plainText(1, 1_000).optional() });
/** So many at most are approved at once. */
export const MOST_AT_ONCE = 50;
export const approveManyInput = z.strictObject({
  items: z
    .array(z.strictObject({ tx_id: txId, expected_exchange_rate: decimalText }))
    .min(1)
    .max(MOST_AT_ONCE),
});
export const rejectInput = z.strictObject({ tx_id: txId, reason: plainText(8, 1_000) });

export const riskInput = z.strictObject({ tx_ids: z.array(txId).min(1).max(25) });

/** From before to after. `difference`: signed, in the unit of what changed; the others signed, with two decimals, null: from nothing. */
export type ChangeWire = { difference: string; percent: string | null; bps: string | null };

/** Which rule of the terms it was quoted under applies, and who has said yes. Amounts in units of the source currency. */
export type ApprovalPolicyWire = {
  maximum_source_amount: string;
  two_approvals_above_amount: string | null;
  approvals_needed: 1 | 2;
  approvals: { by: string; is_mine: boolean; at: string; note: string | null }[];
};

/** What approving would do now. */
export type ApprovalPreviewWire = {
  settlement: SettlementWire;
  source_amount: string;
  current: QuoteWire;
  proposed: QuoteWire | null;
  change: { rate: ChangeWire; gross: ChangeWire; fee: ChangeWire; net: ChangeWire } | null;
  /** Why it cannot be priced. */
  obstacle: { code: RefusalCode; detail: string } | null;
  policy: ApprovalPolicyWire;
  /** The source amount over the pair's maximum, in two digits. */
  times_maximum: string;
  /** What the fullest wallet that may pay it was last seen to hold; null: none is known. */
  cover: { wallet_amount: string; times: string; is_enough: boolean } | null;
  creation_callback_url: string | null;
  drift_tolerance_bps: number;
};

export type AwaitingApprovalWire = SettlementRowWire & { preview: ApprovalPreviewWire };

type Preview = {
  settlement: Settlement;
  rule: ApprovalRule;
  approvals: { decider: { type: string; id: string }; name: string | null; approvedAt: Date; note: string | null }[];
  proposed: Quote | null;
  obstacle: { code: RefusalCode; detail: string } | null;
  largestBalanceBase: bigint | null;
};

/** `asker`: the user whose own approval is told as such. */
export function renderApprovalPreview(
  preview: Preview,
  wire: SettlementWire,
  { driftToleranceBps, asker }: { driftToleranceBps: number; asker: string },
): ApprovalPreviewWire {
  const { settlement, proposed, rule } = preview;
  const { tokenDecimals, quote, sourceAmountMinor, sourceCurrency } = settlement;
  return {
    settlement: wire,
    source_amount: fiatAmount(sourceAmountMinor, sourceCurrency),
    current: renderQuote(quote, tokenDecimals, true),
    proposed: proposed && renderQuote(proposed, tokenDecimals, true),
    change: proposed && renderChanges(quote, proposed, tokenDecimals),
    obstacle: preview.obstacle,
    policy: {
      maximum_source_amount: fiatAmount(rule.maximumSourceMinor, sourceCurrency),
      two_approvals_above_amount: rule.twoApprovalsAboveMinor === null ? null : fiatAmount(rule.twoApprovalsAboveMinor, sourceCurrency),
      approvals_needed: approvalsNeeded(sourceAmountMinor, rule),
      approvals: preview.approvals.map(({ decider, name, approvedAt, note }) => ({
        by: decider.type === "user" ? (name ?? "somebody") : `an operator's key “${name ?? "unknown"}”`,
        is_mine: decider.type === "user" && decider.id === asker,
        at: instant(approvedAt),
        note,
      })),
    },
    times_maximum: times(sourceAmountMinor, rule.maximumSourceMinor),
    cover: renderCover(preview),
    creation_callback_url: settlement.creationCallbackUrl,
    drift_tolerance_bps: driftToleranceBps,
  };
}

function renderCover({ settlement, proposed, largestBalanceBase }: Preview): ApprovalPreviewWire["cover"] {
  if (largestBalanceBase === null) return null;
  const due = (proposed ?? settlement.quote).destinationAmountBase;
  return {
    wallet_amount: formatDecimal(baseToDecimal(largestBalanceBase, settlement.tokenDecimals)),
    times: largestBalanceBase > 100n * due ? "over 100" : times(largestBalanceBase, due),
    is_enough: largestBalanceBase >= due,
  };
}

/** What a new price changes. */
export function renderChanges(before: Quote, after: Quote, tokenDecimals: number): NonNullable<ApprovalPreviewWire["change"]> {
  const amount = (base: bigint) => baseToDecimal(base, tokenDecimals);
  return {
    rate: changeOf(before.exchangeRate, after.exchangeRate),
    gross: changeOf(amount(before.grossBase), amount(after.grossBase)),
    fee: changeOf(amount(before.platformFeeBase), amount(after.platformFeeBase)),
    net: changeOf(amount(before.destinationAmountBase), amount(after.destinationAmountBase)),
  };
}

function changeOf(before: Decimal, after: Decimal): ChangeWire {
  const scale = Math.max(before.scale, after.scale);
  const [from, to] = [floorToUnits(before, scale), floorToUnits(after, scale)];
  const difference = to - from;
  const size = { coefficient: difference < 0n ? -difference : difference, scale };
  return {
    difference: signed(size, difference < 0n),
    percent: from === 0n ? null : ratio(difference, from, 100n),
    bps: from === 0n ? null : ratio(difference, from, 10_000n),
  };
}

/** `part / whole × scale`, rounded towards zero to two decimals. */
function ratio(part: bigint, whole: bigint, scale: bigint): string {
  const hundredths = ((part < 0n ? -part : part) * scale * 100n) / whole;
  return signed({ coefficient: hundredths, scale: 2 }, part < 0n, 2);
}

function signed(value: Decimal, isNegative: boolean, decimals?: number): string {
  const zero = compare(value, { coefficient: 0n, scale: 0 }) === 0;
  const text = decimals === undefined ? formatDecimal(value) : fixed(value, decimals);
  return zero ? text : `${isNegative ? "−" : "+"}${text}`;
}

function fixed({ coefficient, scale }: Decimal, decimals: number): string {
  const digits = coefficient.toString().padStart(scale + 1, "0");
  return `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale).padEnd(decimals, "0")}`;
}

function times(amount: bigint, of: bigint): string {
  return formatDecimal(divideDown({ coefficient: amount, scale: 0 }, { coefficient: of, scale: 0 }, 2));
}
