import { Refusal } from "./refusal.ts";

/** The progress of a member's Safe; null: the member brought its own wallet. */
export const SAFE_STATUSES = ["deploying", "deployed", "failed"] as const;
export type SafeStatus = (typeof SAFE_STATUSES)[number];

/** A partner's end customer (contract, part 6). */
export type Member = {
  id: string;
  partnerId: string;
  /** The partner's name for it, unique among the partner's members. */
  externalUserId: string;
  /** E.164, unique among the partner's members. */
  phone: string;
  name: string | null;
  email: string | null;
  walletAddress: string | null;
  /** CAIP-2: where the wallet is. */
  chain: string;
  safeStatus: SafeStatus | null;
  createdAt: Date;
  updatedAt: Date;
};

const E_164 = /^\+[1-9]\d{6,14}$/;

/**
 * A phone number in its canonical form, E.164 (`+254712345678`), from any use of spaces, dots, dashes or brackets; null when it is invalid,
 * for example without a country code.
 */
export function normalizePhone(text: string): string | null {
  const bare = text.trim().replace(/[\s().-]/g, "");
  const phone = bare.startsWith("00") ? `+${bare.slice(2)}` : bare;
  return E_164.test(phone) ? phone : null;
}

/**
 * A request that needs a Safe which this service controls, and there is none. The member `safe_status` distinguishes this `conflict` from
 * others: `deploying` ends by itself, `failed` needs another request for a Safe, and null means that none was ever requested.
 */
export function safeMissing(detail: string, safeStatus: SafeStatus | null): Refusal {
  return new Refusal("conflict", { detail, members: { safe_status: safeStatus } });
}

/** The two ways in which a new or changed member can conflict with another, each reported at its field. */
export function phoneTaken(): Refusal {
  return taken("/phone", "Another member has this phone.");
}

export function externalUserIdTaken(): Refusal {
  return taken("/external_user_id", "This external_user_id belongs to a member with another phone.");
}

function taken(pointer: string, message: string): Refusal {
  return new Refusal("conflict", { detail: message, errors: [{ pointer, code: "conflict", message }] });
}
