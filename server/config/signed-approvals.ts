import { ALL_SIGNED, type SigningThresholds } from "#domain/signed-approval.ts";
import type { Variables } from "./variables.ts";

/** Which decisions a passkey must sign; null: none. Live mode wants all, unless amounts are named. */
export function signedApprovalsOf({ SIGNED_APPROVALS: named, MODE }: Variables): SigningThresholds | null {
  return named === undefined ? (MODE === "live" ? ALL_SIGNED : null) : named;
}

/** Without a slash at its end. */
export function baseUrlOf({ BASE_URL, PORT }: Variables): string {
  return BASE_URL ?? `http://localhost:${PORT}`;
}
