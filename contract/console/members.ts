import { z } from "zod";
import { memberUpdateSchema, renderMember } from "#contract/partner/member.ts";
import { renderSafeInfo } from "#contract/partner/safes.ts";
import { caip2, instant, plainText } from "#contract/primitives.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { type Member, SAFE_STATUSES } from "#domain/member.ts";
import { baseToDecimal, fiatAmount } from "#domain/money.ts";
import type { SafeInfo } from "#domain/safe.ts";
import { walkFields } from "#server/console/walk.ts";

/** What is asked about members, and what is answered. */

const MEMBER_SAFES = [...SAFE_STATUSES, "own"] as const;

export const memberPage = z.strictObject({
  partner_id: z.uuid().optional(),
  search: plainText(1, 128).optional(),
  safe: z.enum(MEMBER_SAFES).optional(),
  chain: caip2.optional(),
  ...walkFields,
});
export const oneMember = z.strictObject({ id: z.uuid() });
export const updateMemberInput = memberUpdateSchema.extend({ id: z.uuid() });
export const walletCheck = z.strictObject({ chain: caip2, address: plainText(1, 128) });

/** A member in the console's lists: as the API shows it, whose it is, and what it moved within thirty days. */
export type MemberRowWire = {
  member: ReturnType<typeof renderMember>;
  partner: { id: string; name: string };
  /** Exact decimals in units of the currency. */
  volume: { currency: string; amount: string }[];
};

type Row = { member: Member; partner: { id: string; name: string }; volume: readonly { currency: string; amountMinor: bigint }[] };

export function renderMemberRow({ member, partner, volume }: Row): MemberRowWire {
  const sums = volume.map(({ currency, amountMinor }) => ({ currency, amount: fiatAmount(amountMinor, currency) }));
  return { member: renderMember(member), partner, volume: sums };
}

type Seen = {
  safe: SafeInfo | null;
  block: { height: number; at: Date };
  balances: readonly { token: { currency: string; decimals: number }; amountBase: bigint }[];
};

/** A wallet as the chain had it at a block. `readAt`: business time. */
export function renderSafeSeen({ safe, block, balances }: Seen, readAt: Date) {
  return {
    safe: safe && renderSafeInfo(safe),
    block: block.height,
    read_at: instant(readAt),
    balances: balances.map(({ token, amountBase }) => {
      return { currency: token.currency, amount: formatDecimal(baseToDecimal(amountBase, token.decimals)) };
    }),
  };
}
