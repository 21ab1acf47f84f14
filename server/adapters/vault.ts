import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SealedPlace } from "#domain/sealed-place.ts";
import type { Vault } from "#server/ports.ts";

/** One key of the ring, 32 bytes: its id is in every text encrypted under it, so that the ring can be rotated. */
export type VaultKey = { id: string; key: Uint8Array };

export type VaultOptions = {
  /** false: seals in the form of before, for a version before that still runs or is to run again. Both forms open. */
  binds?: boolean;
};

/** Sealed with its place. */
const BOUND = "v2";
/** The previous version: decrypts in any place. */
const UNBOUND = "v1";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM under the first key of the ring, and decrypts under whichever key a text names. The format is `v2.<key
 * id>.<iv>.<ciphertext and tag>`; version, key id and the text's place are authenticated with it.
 */
export function createVault(ring: readonly VaultKey[], { binds = true }: VaultOptions = {}): Vault {
  const [current] = ring;
  if (current === undefined) throw new RangeError("a vault needs a key");
  const header = `${binds ? BOUND : UNBOUND}.${current.id}`;
  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", current.key, iv, { authTagLength: TAG_BYTES }).setAAD(authenticated(header, place));
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${header}.${iv.toString("base64url")}.${sealed.toString("base64url")}`;
    },
    isCurrent: (text) => text.startsWith(`${header}.`),
    open(text, place) {
      const [version, id, iv = "", body = ""] = text.split(".");
      const entry = ring.find((candidate) => candidate.id === id);
      if ((version !== BOUND && version !== UNBOUND) || entry === undefined)
        throw new Error(`no key of the vault opens a secret sealed under "${id}"`);
      const sealed = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", entry.key, Buffer.from(iv, "base64url"), { authTagLength: TAG_BYTES })
        .setAAD(authenticated(`${version}.${id}`, place))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
    },
  };
}

/** As JSON, in which no two places read alike. */
function authenticated(header: string, place: SealedPlace): Buffer {
  return Buffer.from(header.startsWith(`${UNBOUND}.`) ? header : JSON.stringify([header, ...place]));
}
