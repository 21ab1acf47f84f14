import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Vault } from "#server/ports.ts";

/** One key of the ring, 32 bytes: its id stands in every text sealed under it, so that the ring can be rotated. */
export type VaultKey = { id: string; key: Uint8Array };

const VERSION = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM under the first key of the ring and opens under whichever key a text names. A sealed text is
 * `v1.<key id>.<iv>.<ciphertext and tag>`; version and key id are authenticated with it.
 */
export function createVault(ring: readonly VaultKey[]): Vault {
  const [current] = ring;
  if (current === undefined) throw new RangeError("a vault needs a key");
  return {
    seal(plain) {
      const header = `${VERSION}.${current.id}`;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", current.key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(header));
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${header}.${iv.toString("base64url")}.${sealed.toString("base64url")}`;
    },
    isCurrent: (text) => text.startsWith(`${VERSION}.${current.id}.`),
    open(text) {
      const [version, id, iv = "", body = ""] = text.split(".");
      const entry = ring.find((candidate) => candidate.id === id);
      if (version !== VERSION || entry === undefined) throw new Error(`no key of the vault opens a secret sealed under "${id}"`);
      const sealed = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", entry.key, Buffer.from(iv, "base64url"), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(`${version}.${id}`))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
    },
  };
}
