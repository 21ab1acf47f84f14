import { type Hex, parseTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkSigned } from "#server/adapters/chain/evm/check-signed.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import { type EvmTransaction, Rejected, type Signer, Unreachable } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { KMS_ACCOUNT, KMS_REGION, type Kms, startKms } from "#testing/kms.ts";
import { openTransferBench } from "#testing/transfers.ts";

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
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

let chain: TestChain;
let kms: Kms;
let wallet: Hex;
beforeAll(async () => {
  chain = await startTestChain();
  // The account's keys are found as anywhere: in the worker's environment.
  Object.assign(process.env, KMS_ACCOUNT);
});
afterAll(() => chain.stop());
beforeEach(async () => {
  kms = await startKms();
  wallet = kms.makeKey("hot-1");
});
afterEach(() => kms.stop());

type Changes = Partial<{ key: string; address: string; region: string; endpoint: string; timeoutMs: number }>;

function signerOf(change: Changes = {}): Signer {
  const settings = { signer: "aws-kms" as const, key: "hot-1", region: KMS_REGION, address: wallet, endpoint: kms.endpoint, ...change };
  const [signer] = openSigners([{ chain: chain.chain, wallets: [settings] }]).of(chain.chain);
  if (signer === undefined) throw new Error("there is no signer");
  return signer;
}

const refusalOf = (signer: Signer) => signer.signTransaction(UNSIGNED).catch((error: unknown) => error);

describe("a key of AWS KMS", () => {
  it("signs what it is asked to sign by signed requests, whichever half its s is in, and returns its public key once", async () => {
    const signer = signerOf();
    for (let nonce = 0; nonce < 8; nonce += 1) {
      const raw = await signer.signTransaction({ ...UNSIGNED, nonce });
      await checkSigned(raw, { ...UNSIGNED, nonce }, wallet);
      expect(BigInt(parseTransaction(raw as `0x02${string}`).s ?? "0x0") <= HALF_ORDER).toBe(true);
    }
    expect(kms.asked.map(({ action }) => action)).toEqual(["GetPublicKey", ...Array.from({ length: 8 }, () => "Sign")]);
    expect(kms.asked[1]?.order).toEqual({
      KeyId: "hot-1",
      Message: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      MessageType: "DIGEST",
      SigningAlgorithm: "ECDSA_SHA_256",
    });
    expect([signer.kind, await signer.address(), signer.isOurs]).toEqual(["aws-kms", wallet, undefined]);
  });

  it("pays on the chain once, however often it is throttled, fails or falls silent on the way", async () => {
    const troubles = [{ status: 400, kind: "ThrottlingException" }, { status: 500, kind: "KMSInternalException" }, "silence"] as const;
    await chain.fund(wallet);
    const bench = await openTransferBench(chain, { signers: [signerOf({ timeoutMs: 2_000 })], funded: false });
    const worker = bench.newWorker();
    for (const trouble of troubles) {
      const owed = await bench.enqueuePayment();
      kms.state.meddle = ({ action }) => (action === "Sign" ? trouble : null);
      await bench.run(worker, [owed.id], 2);
      const reason = "The treasury wallet's signer cannot be reached.";
      expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: reason });
      kms.state.meddle = () => null;
      const [paid] = await bench.run(worker, [owed.id]);
      expect(paid).toMatchObject({ state: "executed", waitingReason: null });
      expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
      expect((await bench.transaction(owed.id)).attempts).toHaveLength(1);
    }
    expect(await bench.sql`select signer from wallets`).toEqual([{ signer: "aws-kms" }]);
    expect(await chain.call("eth_getTransactionCount", wallet, "latest")).toBe("0x3");
    await bench.close();
  });

  it("is tried again within its time where it is only busy", async () => {
    kms.state.meddle = ({ times }) => (times === 0 ? { status: 503, kind: "DependencyTimeoutException" } : null);
    const raw = await signerOf().signTransaction(UNSIGNED);
    await checkSigned(raw, UNSIGNED, wallet);
  });

  it("of which the same digest was signed twice pays once: what is stored first goes out, and nothing else", async () => {
    await chain.fund(wallet);
    const bench = await openTransferBench(chain, { signers: [signerOf()], funded: false });
    const owed = await bench.enqueuePayment();
    // Its first answer is lost on the way, after it has signed; the second signature of the same digest is another one.
    let lost: string | null = null;
    const honest = signerOf();
    const forgetful: Signer = {
      ...honest,
      async signTransaction(unsigned) {
        const raw = await honest.signTransaction(unsigned);
        if (lost !== null) return raw;
        lost = raw;
        throw new Unreachable("the answer was lost");
      },
    };
    const worker = bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ keys: [forgetful] }) } });
    const [paid] = await bench.run(worker, [owed.id]);
    expect(paid).toMatchObject({ state: "executed" });
    const { attempts } = await bench.transaction(owed.id);
    expect(attempts).toHaveLength(1);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    // Anyone who finds the lost bytes can do no harm with them: their nonce is spent.
    await expect(chain.call("eth_sendRawTransaction", lost)).rejects.toThrow(/nonce|known|imported/i);
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    await bench.close();
  });

  it("that is not there, not ours, of another wallet or another curve signs nothing, and what KMS answers is not believed", async () => {
    kms.makeKey("nist", "prime256v1");
    const cases: [Changes, RegExp][] = [
      [{ key: "nobody" }, /NotFoundException/],
      [{ address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, /not of the configured wallet/],
      [{ key: "nist" }, /no key on the curve secp256k1/],
    ];
    for (const [change, words] of cases) {
      const refusal = await refusalOf(signerOf(change));
      expect(refusal).toBeInstanceOf(Rejected);
      expect(String(refusal)).toMatch(words);
    }
    const answers = ["", "AAAA", "MAYCAQACAQA=", "MAYCAQECAQE=", Buffer.alloc(70, 255).toString("base64")];
    for (const Signature of answers) {
      kms.state.meddle = ({ action }) => (action === "Sign" ? { answer: { Signature } } : null);
      const refusal = await refusalOf(signerOf());
      expect(refusal, Signature).toBeInstanceOf(Rejected);
    }
    kms.state.meddle = () => ({ status: 400, kind: "AccessDeniedException" });
    expect(await refusalOf(signerOf())).toBeInstanceOf(Rejected);
  });

  it("that does not let us in, or is away, is waited for; no message about it contains the account's secret", async () => {
    const outside = await refusalOf(signerOf({ region: "us-east-1" }));
    const away = await refusalOf(signerOf({ endpoint: "http://127.0.0.1:1", timeoutMs: 500 }));
    for (const refusal of [outside, away]) {
      expect(refusal).toBeInstanceOf(Unreachable);
      expect(`${refusal} ${JSON.stringify(refusal)}`).not.toContain(KMS_ACCOUNT.AWS_SECRET_ACCESS_KEY);
    }
  });
});
