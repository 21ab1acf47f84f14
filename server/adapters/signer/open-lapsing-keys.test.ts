import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import { openLapsingKeys } from "./open-lapsing-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "lapsing-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("each family's wallet has an address of its chain, and its file is made at the first use only", async () => {
  const chains = [
    { family: "solana", chain: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" },
    { family: "tron", chain: "tron:0x2b6653dc" },
    { family: "tempo", chain: "eip155:4217" },
  ] as const;
  const fileOf = (family: string) => join(folder, `${family}.key`);
  const wallets = (family: string) => [{ signer: "sandbox" as const, keyFile: fileOf(family) }];
  const keys = openLapsingKeys([{ family: "evm" }, ...chains.map((chain) => ({ ...chain, wallets: wallets(chain.family) }))]);
  for (const { chain, family } of chains) {
    expect(existsSync(fileOf(family))).toBe(false);
    const [key] = keys.of(chain);
    const address = (await key?.address()) ?? "";
    expect(checkWalletAddress({ chain, address, refused: [] })).toBe(address);
    expect([key?.kind, existsSync(fileOf(family))]).toEqual(["sandbox", true]);
  }
  expect(keys.of("eip155:1")).toEqual([]);
  const elsewhere = [{ family: "tron", chain: "tron:0x2b6653dc", wallets: [{ signer: "aws-kms" }] }] as const;
  expect(() => openLapsingKeys(elsewhere)).toThrow("a signer of the kind aws-kms does not sign there");
});
