import { rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseTransaction } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSigned } from "#server/adapters/chain/evm/check-signed.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import { type EvmTransaction, Rejected, type Signer, Unreachable } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { makeSoftHsm, type SoftHsm } from "#testing/softhsm.ts";
import { openTransferBench } from "#testing/transfers.ts";

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const SOMEBODY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const UNSIGNED: EvmTransaction = {
  to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  valueBase: 0n,
  data: "0xa9059cbb00",
  chainId: 31337,
  nonce: 0,
  gasLimit: 60_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
};

let hsm: SoftHsm;
let chain: TestChain;
let [first, second]: string[] = [];
beforeAll(async () => {
  hsm = makeSoftHsm();
  [first, second] = hsm.makeKeys(["hot-1", "hot-2"]).map((point) => publicKeyToAddress(`0x${point}`));
  hsm.makeKeys(["nist"], "prime256v1");
  hsm.makeKeys(["twin", "twin"]);
  chain = await startTestChain();
});
afterAll(async () => {
  await chain.stop();
  hsm.remove();
});

type Changes = Partial<{ key: string; address: string | undefined; pin: string; token: string; library: string; timeoutMs: number }>;

/** As the configuration opens them, all in one token. */
function signersOf(...changes: Changes[]): Signer[] {
  const { library, token, pin } = hsm;
  const wallets = changes.map(({ address, ...change }) => {
    const env = { ...hsm.env, PATH: process.env.PATH ?? "" };
    return { signer: "pkcs11" as const, library, token, pin, env, key: "hot-1", address: address ?? first ?? "", ...change };
  });
  return [...openSigners([{ chain: chain.chain, wallets }]).of(chain.chain)];
}

function signerOf(change: Changes = {}): Signer {
  const [signer] = signersOf(change);
  if (signer === undefined) throw new Error("there is no signer");
  return signer;
}

const refusalOf = (signer: Signer) => signer.signTransaction(UNSIGNED).catch((error: unknown) => error);

describe("a key in a token", () => {
  it("signs what it is asked to sign, two wallets at once, with s in the lower half every time", async () => {
    const [one, two] = signersOf({}, { key: "hot-2", address: second });
    const jobs = Array.from({ length: 24 }, (_, nonce) => ({
      nonce,
      signer: nonce % 2 === 0 ? one : two,
      wallet: nonce % 2 === 0 ? first : second,
    }));
    const signed = await Promise.all(jobs.map(({ nonce, signer }) => signer?.signTransaction({ ...UNSIGNED, nonce }) ?? ""));
    for (const [index, { nonce, wallet }] of jobs.entries()) {
      const raw = signed[index] ?? "";
      await checkSigned(raw, { ...UNSIGNED, nonce }, wallet ?? "");
      expect(BigInt(parseTransaction(raw as `0x02${string}`).s ?? "0x0") <= HALF_ORDER).toBe(true);
    }
    await one?.check?.();
    expect([one?.kind, await one?.address(), one?.isOurs]).toEqual(["pkcs11", first, undefined]);
  });

  it("pays on the chain, from each of two wallets, and every nonce once", async () => {
    const signers = signersOf({}, { key: "hot-2", address: second });
    for (const wallet of [first, second]) await chain.fund((wallet ?? "") as `0x${string}`);
    const bench = await openTransferBench(chain, { signers, funded: false });
    const owed = await Promise.all(Array.from({ length: 6 }, () => bench.enqueuePayment()));
    const done = await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    expect(done.map(({ state }) => state)).toEqual(owed.map(() => "executed"));
    for (const { recipient, amountBase } of owed) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    const kinds = await bench.sql`select address, signer from wallets order by signer`;
    expect(kinds).toHaveLength(2);
    expect(kinds.map(({ signer }) => signer)).toEqual(["pkcs11", "pkcs11"]);
    await bench.close();
  });

  it("that is pulled out leaves payments waiting, says so, and pays them once it is back", async () => {
    const bench = await openTransferBench(chain, { signers: [signerOf()], funded: false });
    await chain.fund((first ?? "") as `0x${string}`);
    const worker = bench.newWorker();
    const [before] = [await bench.enqueuePayment()];
    await bench.run(worker, [before.id]);
    hsm.pullOut();
    const owed = await bench.enqueuePayment();
    try {
      await bench.run(worker, [owed.id], 2);
      const reason = "The treasury wallet's signer cannot be reached.";
      expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: reason });
    } finally {
      hsm.putBack();
    }
    const [paid] = await bench.run(worker, [owed.id]);
    expect(paid).toMatchObject({ state: "executed", waitingReason: null });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    await bench.close();
  });

  it("opens its session again when it was lost between two signatures", async () => {
    const signer = signerOf();
    await signer.signTransaction(UNSIGNED);
    hsm.pullOut();
    expect(await refusalOf(signer)).toBeInstanceOf(Unreachable);
    hsm.putBack();
    await checkSigned(await signer.signTransaction(UNSIGNED), UNSIGNED, first ?? "");
  });

  it("is asked with a wrong PIN once and never again: a token locks itself", async () => {
    const link = join(tmpdir(), `settlement-library-${process.pid}.so`);
    symlinkSync(hsm.library, link);
    const [one, two] = signersOf({ pin: "000000", library: link }, { pin: "000000", library: link, key: "hot-2", address: second });
    if (one === undefined || two === undefined) throw new Error("there are no signers");
    const refused = await refusalOf(one);
    expect(refused).toBeInstanceOf(Rejected);
    expect(String(refused)).toContain("PIN");
    // Another call would now miss its library.
    rmSync(link);
    expect(String(await refusalOf(one))).toContain("PIN");
    expect(String(await refusalOf(two))).toContain("PIN");
    expect(`${refused} ${JSON.stringify(refused)}`).not.toContain("000000");
    // And the right one still opens it.
    await signerOf().signTransaction(UNSIGNED);
  });

  it("of another wallet, of another curve, missing, or there twice signs nothing", async () => {
    const cases: [Changes, typeof Rejected | typeof Unreachable, RegExp][] = [
      [{ address: SOMEBODY }, Rejected, /is the key of 0x.*, not of the configured wallet/],
      [{ key: "nist" }, Rejected, /not on the curve secp256k1/],
      [{ key: "twin" }, Rejected, /more than one public key labelled twin/],
      // A missing token may come back: it may only be unplugged.
      [{ key: "nobody" }, Unreachable, /no public key labelled nobody/],
      [{ token: "elsewhere" }, Unreachable, /no token elsewhere/],
      [{ library: "/nowhere/library.so" }, Unreachable, /nowhere/],
    ];
    for (const [change, kind, words] of cases) {
      const refusal = await refusalOf(signerOf(change));
      expect(refusal).toBeInstanceOf(kind);
      expect(String(refusal)).toMatch(words);
    }
  });

  it("that does not answer in time is given up, and the worker goes on", async () => {
    const signer = signerOf({ timeoutMs: 1 });
    expect(await refusalOf(signer)).toBeInstanceOf(Unreachable);
  });
});
