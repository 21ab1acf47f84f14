import type { KeyObject } from "node:crypto";
import type { ApiKey } from "#domain/api-key.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import { signingKey } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";

/** A key as this process has seen it: with what checks its signatures, and the version of all that rights depend on. */
export type KnownKey = { hash: string; key: ApiKey; signs: KeyObject; version: string };

/** The keys that a process has seen recently, by their hashes. An entry only counts together with its version: see `spendNonce`. */
export type KnownKeys = {
  find(hash: string): KnownKey | null;
  learn(hash: string, found: { key: ApiKey; version: string }): KnownKey;
  forget(known: KnownKey): void;
};

const MOST = 1_000;

export function createKnownKeys(ctx: Uses<"vault">): KnownKeys {
  const known = new Map<string, KnownKey>();
  return {
    find: (hash) => known.get(hash) ?? null,
    learn: (hash, { key, version }) => {
      const learned = { hash, key, version, signs: signingKey(ctx.vault.open(key.sealedSecret, secretOfKey(key.id))) };
      if (known.size >= MOST) known.clear();
      known.set(hash, learned);
      return learned;
    },
    forget: ({ hash }) => void known.delete(hash),
  };
}
