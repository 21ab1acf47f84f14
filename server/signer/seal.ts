import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SignedEntry } from "#domain/journal.ts";

const PREFIX = "sealed:";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps signed bytes closed to everybody else until the journal has them. */
export type Seal = {
  close(bytes: string, entry: SignedEntry): string;
  /** Null: they were sealed with another key, or for another entry, or were changed. Bytes that were never sealed stay as they are. */
  open(bytes: string, entry: SignedEntry): string | null;
  /** Closes a text for a purpose and a key of its own (`about`), and {@link unwrap} opens it for no other. */
  wrap(text: string, about: string): string;
  /** Null: it was sealed with another key, or for something else, or was changed, or was never sealed. */
  unwrap(bytes: string, about: string): string | null;
  /** @throws JournalUnusable, JournalUnwritable where there is no key to read or to make */
  check(): void;
};

/**
 * A seal with a key of 32 bytes (AES-256-GCM), which is read at its first use. It covers what the bytes do: place, owner, hash, recipient, token,
 * amount, and the members of a packed transaction.
 */
export function openSeal(readKey: () => Uint8Array): Seal {
  let read: Uint8Array | null = null;
  const key = () => (read ??= readKey());
  function wrap(text: string, about: Buffer): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key(), iv).setAAD(about);
    const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return `${PREFIX}${Buffer.concat([iv, cipher.getAuthTag(), closed]).toString("base64url")}`;
  }
  function unwrap(bytes: string, about: Buffer): string | null {
    const sealed = Buffer.from(bytes.slice(PREFIX.length), "base64url");
    const own = key();
    try {
      const decipher = createDecipheriv("aes-256-gcm", own, sealed.subarray(0, IV_BYTES)).setAAD(about);
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return null;
    }
  }
  return {
    close: (bytes, entry) => wrap(bytes, aboutOf(entry)),
    open: (bytes, entry) => (isSealed(bytes) ? unwrap(bytes, aboutOf(entry)) : bytes),
    // An entry's text is a list, so no text of these is one.
    wrap: (text, about) => wrap(text, Buffer.from(`text ${about}`)),
    unwrap: (bytes, about) => (isSealed(bytes) ? unwrap(bytes, Buffer.from(`text ${about}`)) : null),
    check: () => void key(),
  };
}

/** Whether only the signer can read them. */
export function isSealed(bytes: string): boolean {
  return bytes.startsWith(PREFIX);
}

function aboutOf({ chain, wallet, nonce, kind, owner, hash, recipient, token, amountBase, members }: SignedEntry): Buffer {
  // Addresses mean the same in any case. Owner and hash do not: the journal compares them as they are.
  const addresses = [wallet, recipient, token].map((address) => address?.toLowerCase() ?? null);
  const packed = members?.map((one) => [one.owner, one.recipient.toLowerCase(), String(one.amountBase)]);
  return Buffer.from(JSON.stringify([chain, nonce, kind, owner, hash, addresses, String(amountBase), ...(packed ? [packed] : [])]));
}
