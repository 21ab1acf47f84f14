import type { NotificationKind } from "./notification.ts";

/** What somebody must hear of an action on their account or their keys: it may not have been them. */
export type SecurityNotice = { kind: Extract<NotificationKind, "account_changed" | "key_changed" | "hold_released">; sentence: string };

const ACCOUNT: Readonly<Record<string, string>> = {
  "user.password_changed": "Your password was changed",
  "user.two_factors_on": "An authenticator app was added to your account",
  "user.two_factors_off": "The authenticator app was removed from your account",
  "user.two_factors_reset": "Your two factors were reset",
  "user.passkey_added": "A passkey was added to your account",
  "user.passkey_removed": "A passkey was removed from your account",
  "user.recovery_codes_renewed": "Your recovery codes were renewed",
  "user.recovery_code_spent": "A recovery code of yours was used",
  "user.device_confirmed": "A colleague confirmed your devices, so your decisions count",
  "user.role_changed": "Your role was changed",
  "user.sessions_ended": "All your sessions were ended",
  "user.identity_linked": "A company's identity was linked to your account",
  "user.identity_unlinked": "A company's identity was unlinked from your account",
};
const KEYS: Readonly<Record<string, string>> = {
  "api_key.created": "An API key was made",
  "api_key.rotated": "An API key was rotated",
  "api_key.revoked": "An API key was revoked",
  "api_key.found_in_public": "An API key was found in public, reported to us and ended",
  "callback_secret.rotated": "The callback secret was rotated",
  "user.joined": "Somebody joined your people",
  "user.keeper_signed_in": "Somebody signed in past the company's identity provider",
  "identity_provider.changed": "The identity provider was changed",
  "identity_provider.removed": "The identity provider was removed",
  "identity_provider.directory_token_made": "A token for the directory was made",
};

/** The notice of an audited action: to the person whom it is about, to those who keep a side's keys, or to the admins. null: nobody gets one. */
export function securityNoticeOf(action: string, { name, last_four: lastFour }: Record<string, unknown>): SecurityNotice | null {
  if (action === "payment.released") return { kind: "hold_released", sentence: "A held payment was released" };
  if (ACCOUNT[action] !== undefined) return { kind: "account_changed", sentence: ACCOUNT[action] };
  if (KEYS[action] === undefined) return null;
  const named = [name, lastFour === undefined ? undefined : `…${String(lastFour)}`].filter((word) => word !== undefined).join(", ");
  return { kind: "key_changed", sentence: named === "" ? KEYS[action] : `${KEYS[action]}: ${named}` };
}
