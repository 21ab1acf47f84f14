import type { Hex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import { tronOfHex } from "#domain/tron-address.ts";
import { encodeSigned, idOf } from "#server/adapters/chain/tron/transaction.ts";
import type { LapsingKey } from "#server/ports.ts";

/** Signs a Tron transaction's bytes (hexadecimal) with a secp256k1 key in this process's memory, opened once, at first use. The files are those of keys on EVM chains. */
export function tronKey(openKey: () => Promise<Hex>, kind: "sandbox" | "keystore" = "sandbox"): LapsingKey {
  let opened: Promise<Hex> | null = null;
  function key(): Promise<Hex> {
    opened ??= openKey();
    opened.catch(() => {
      opened = null;
    });
    return opened;
  }
  return {
    kind,
    address: async () => tronOfHex(privateKeyToAccount(await key()).address),
    async sign(bytes) {
      const raw = Buffer.from(bytes, "hex");
      const { r, s, yParity } = await sign({ hash: `0x${idOf(raw)}`, privateKey: await key() });
      const recovery = yParity === 0 ? "1b" : "1c";
      return encodeSigned(raw, Buffer.from(`${r.slice(2)}${s.slice(2)}${recovery}`, "hex"));
    },
  };
}
