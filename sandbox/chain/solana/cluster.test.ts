import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { associatedAccount } from "#server/adapters/chain/solana/instructions.ts";
import { newSolanaWallet } from "#testing/solana.ts";
import { type LocalCluster, startCluster } from "./start.ts";
import { addressOfMint } from "./test-mints.ts";

const folder = mkdtempSync(join(tmpdir(), "solana-"));
let cluster: LocalCluster | null = null;
afterEach(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the local Solana cluster", () => {
  it("goes on after a restart with its blocks, accounts and transactions, and makes blocks by the clock", async () => {
    const options = { stateFile: join(folder, "cluster.state"), finalizedBehind: 2 };
    const owner = await newSolanaWallet();
    const account = await associatedAccount(owner as never, {
      mint: await addressOfMint("USDT"),
      tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" as never,
    });
    const look = async () => [
      await cluster?.call("getGenesisHash"),
      await cluster?.call("getBalance", [owner]),
      await cluster?.call("getTokenAccountBalance", [account]),
      await cluster?.call("getLatestBlockhash", [{ commitment: "processed" }]),
    ];
    cluster = await startCluster(options);
    await cluster.call("sandbox_fund", [{ owner, lamports: "5", tokens: { USDT: "7" } }]);
    await cluster.call("sandbox_advance", [3]);
    const before = await look();
    expect(before.slice(1, 3)).toMatchObject([{ value: 5 }, { value: { amount: "7", decimals: 6 } }]);
    await cluster.stop();
    expect(statSync(options.stateFile).mode & 0o777).toBe(0o600);
    cluster = await startCluster(options);
    expect(await look()).toEqual(before);
    await cluster.stop();

    cluster = await startCluster({ ...options, slotMs: 20 });
    const from = Number(await cluster.call("getBlockHeight"));
    await expect.poll(async () => Number(await cluster?.call("getBlockHeight"))).toBeGreaterThan(from + 2);
  });
});
