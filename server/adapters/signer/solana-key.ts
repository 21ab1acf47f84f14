import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Hex } from "viem";
import { solanaAddressOf } from "#domain/solana-address.ts";
import { type LapsingKey, Rejected } from "#server/ports.ts";

/** An Ed25519 private key as PKCS #8, up to its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

type Pair = { secret: KeyObject; open: KeyObject; address: string };

/** Signs a Solana transaction's bytes (base 64) with an Ed25519 key in this process's memory, opened once, at first use. The files are those of other keys: 32 bytes. */
export function solanaKey(openKey: () => Promise<Hex>, kind: "sandbox" | "keystore" = "sandbox"): LapsingKey {
  let opened: Promise<Pair> | null = null;
  function pair(): Promise<Pair> {
    opened ??= openKey().then(toPair);
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }
  return {
    kind,
    address: async () => (await pair()).address,
    async sign(bytes) {
      const message = Buffer.from(bytes, "base64");
      if (message.toString("base64") !== bytes || message.length === 0) throw new Rejected("what is to be signed is no base 64");
      const { secret, open } = await pair();
      const signature = sign(null, message, secret);
      // A fault in memory or processor would reveal the key to anyone who reads such a signature.
      if (!verify(null, message, open, signature)) throw new Rejected("the key made a signature that is not its own");
      return Buffer.concat([Buffer.of(1), signature, message]).toString("base64");
    },
  };
}

function toPair(seed: Hex): Pair {
  const bytes = Buffer.from(seed.slice(2), "hex");
  if (bytes.length !== 32) throw new Error("an Ed25519 key has 32 bytes");
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: "der", type: "pkcs8" });
  const open = createPublicKey(secret);
  const { x = "" } = open.export({ format: "jwk" });
  return { secret, open, address: solanaAddressOf(Buffer.from(x, "base64url")) };
}
