import { hkdfSync } from "node:crypto";

/** The installation's settings for signing in. */
export type AuthSettings = {
  baseUrl: string;
  port: number;
  vaultKeys: readonly { key: Uint8Array }[];
};

/** Browsers keep a `__Host-` cookie to this very host, over TLS, with no way for a sister host to set it. */
export function isSecure({ baseUrl }: AuthSettings): boolean {
  return baseUrl.startsWith("https://");
}

/** Cookies ignore ports: several sandboxes on one machine would share theirs. */
export function cookieName(settings: AuthSettings, purpose: "session" | "csrf" | "callback" | "provider"): string {
  return isSecure(settings) ? `__Host-settlement.${purpose}` : `settlement-${settings.port}.${purpose}`;
}

/** The cookie's seal, derived from the vault's current key: rotating that signs everybody out. */
export function cookieSecret({ vaultKeys }: AuthSettings): string {
  const key = vaultKeys[0]?.key;
  if (key === undefined) throw new Error("there is no vault key");
  return Buffer.from(hkdfSync("sha256", key, "", "console session cookie", 32)).toString("base64url");
}
