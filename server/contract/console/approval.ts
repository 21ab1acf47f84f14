import type { SettlementWire } from "#server/contract/settlement/v1/settlement.ts";
import { compare, type Decimal, divideDown, formatDecimal } from "#server/domain/decimal.ts";
import { baseToDecimal } from "#server/domain/money.ts";
import type { RefusalCode } from "#server/domain/refusal.ts";
import type { Quote, Settlement } from "#server/domain/settlement.ts";
import { fiatAmount, type QuoteWire, renderQuote, type SettlementRowWire } from "./settlement.ts";

/** What approving would do now. */
export type ApprovalPreviewWire = {
  settlement: SettlementWire;
  current: QuoteWire;
  proposed: QuoteWire | null;
  /** From current to proposed. `net`: signed, in the destination currency; the others signed, with two decimals. */
  change: { net: string; percent: string; bps: string } | null;
  /** Why it cannot be priced. */
  obstacle: { code: RefusalCode; detail: string } | null;
  /** In units of the source currency. */
  maximum_source_amount: string | null;
  /** The source amount over the pair's maximum, with one decimal. */
  times_maximum: string | null;
  creation_callback_url: string | null;
  drift_tolerance_bps: number;
};

export type AwaitingApprovalWire = SettlementRowWire & { preview: ApprovalPreviewWire };

type Preview = {
  settlement: Settlement;
  maximumSourceMinor: bigint | null;
  proposed: Quote | null;
  obstacle: { code: RefusalCode; detail: string } | null;
};

export function renderApprovalPreview(preview: Preview, wire: SettlementWire, driftToleranceBps: number): ApprovalPreviewWire {
  const { settlement, proposed, maximumSourceMinor } = preview;
  const { tokenDecimals, quote } = settlement;
  return {
    settlement: wire,
    current: renderQuote(quote, tokenDecimals, true),
    proposed: proposed && renderQuote(proposed, tokenDecimals, true),
    change: proposed && changeOf(quote, proposed, tokenDecimals),
    obstacle: preview.obstacle,
    maximum_source_amount: maximumSourceMinor === null ? null : fiatAmount(maximumSourceMinor, settlement.sourceCurrency),
    times_maximum: maximumSourceMinor === null ? null : tenths(settlement.sourceAmountMinor, maximumSourceMinor),
    creation_callback_url: settlement.creationCallbackUrl,
    drift_tolerance_bps: driftToleranceBps,
  };
}

function changeOf(before: Quote, after: Quote, tokenDecimals: number): { net: string; percent: string; bps: string } {
  const difference = after.destinationAmountBase - before.destinationAmountBase;
  return {
    net: signed(baseToDecimal(difference < 0n ? -difference : difference, tokenDecimals), difference < 0n),
    percent: ratio(difference, before.destinationAmountBase, 100n),
    bps: ratio(difference, before.destinationAmountBase, 10_000n),
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

function tenths(amount: bigint, maximum: bigint): string {
  return formatDecimal(divideDown({ coefficient: amount, scale: 0 }, { coefficient: maximum, scale: 0 }, 2));
}
