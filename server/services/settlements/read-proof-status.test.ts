import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { openProofKeys } from "#domain/proof.ts";
import type { Settlement } from "#domain/settlement.ts";
import { type Claims, verifyProof } from "#domain/verify-proof.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, addTerms, setClockOffset, setRate, type TestPartner } from "#testing/factories.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { cancelSettlement } from "./cancel-settlement.ts";
import { completeOwner } from "./complete-owner.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { proveSettlement } from "./prove-settlement.ts";
import { readProofStatus } from "./read-proof-status.ts";

const ISSUER = "https://pay.example";
const proofs = openProofKeys(ISSUER, [{ id: "now", key: randomBytes(32) }]);

let chain: TestChain;
let bench: TransferBench;
let partner: TestPartner;
let nodes: RpcProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
  await bench.close();
});
afterAll(() => chain.stop());

const ctx = () => ({
  ...bench.ctx,
  chains: bench.ctx.evm,
  proofs,
  policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
});
const prove = async ({ id }: Settlement) => proveSettlement(ctx(), { id, partnerId: partner.partnerId });
const statusOf = async (proof: string | null) => (await readProofStatus(ctx(), proof ?? "")).status;

async function quoted({ nodeCount = 1, sourceAmountMinor = 1_000_000n } = {}): Promise<Settlement> {
  nodes = await Promise.all(Array.from({ length: nodeCount }, () => startRpcProxy(chain.rpcUrl)));
  bench = await openTransferBench(chain, { onFinal: completeOwner, rpcUrls: nodes.map(({ url }) => url) });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  return await createSettlement(ctx(), {
    ...partner,
    sourceAmountMinor,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: chain.chain,
    walletAddress: newAddress(),
    callbackUrl: null,
  });
}

async function confirm({ id }: Settlement): Promise<void> {
  const wish = { externalTxId: `ref-${id}`, callbackUrl: "http://localhost:9/", expectedDestinationAmount: null };
  await confirmSettlement(ctx(), { ...partner, id, ...wish });
  await bringOutbox(ctx());
}

async function executed(nodeCount = 1): Promise<Settlement> {
  const settlement = await quoted({ nodeCount });
  await confirm(settlement);
  await bench.run(bench.newWorker(), [(await findTransferOf(bench.db, "settlement", settlement.id))?.id ?? ""]);
  return settlement;
}

/** From now on these nodes answer so. */
function from(rule: ProxyRule, ...which: number[]): void {
  for (const index of which) {
    const node = nodes[index];
    if (node) node.rule = rule;
  }
}

type Answer = Record<string, unknown>;
const alterReceipt =
  (change: (receipt: Answer) => Answer): ProxyRule =>
  (method) =>
    method === "eth_getTransactionReceipt" ? { alter: (found) => (found === null ? null : change(found as Answer)) } : "pass";
const REVERTED = alterReceipt((receipt) => ({ ...receipt, status: "0x0", logs: [] }));
const WITHOUT_EVENT = alterReceipt((receipt) => ({ ...receipt, logs: [] }));
const ELSEWHERE = alterReceipt((receipt) => ({ ...receipt, blockHash: `0x${"ab".repeat(32)}` }));
const SILENT: ProxyRule = () => "refuse";
/** The chain has not grown since long before the payment. */
const NOT_FINAL: ProxyRule = (method, [at]) =>
  method === "eth_getBlockByNumber" && at === "latest" ? { alter: (block) => ({ ...(block as Answer), number: "0x1" }) } : "pass";

const REFUSED = { code: "temporarily_unavailable" };

describe("a receipt is signed only for what happened", () => {
  it.each([
    ["is reverted, as after a deep fork", REVERTED, "reversed"],
    ["has no event of the token", WITHOUT_EVENT, "reversed"],
    ["is in another block than the booked one", ELSEWHERE, "reversed"],
    ["is in a block that is not final", NOT_FINAL, REFUSED],
    ["is asked of a node that is silent", SILENT, REFUSED],
  ])("not when the payment %s", async (_, rule, reason) => {
    const settlement = await executed();
    const { receipt } = await prove(settlement);
    expect(await statusOf(receipt)).toBe("paid");
    from(rule, 0);
    await expect(prove(settlement)).rejects.toMatchObject(REFUSED);
    if (reason === "reversed") expect(await statusOf(receipt)).toBe("reversed");
    else await expect(statusOf(receipt)).rejects.toMatchObject(REFUSED);
    from(() => "pass", 0);
    expect(await prove(settlement)).toMatchObject({ receipt });
  });

  it("not when a second node is configured and does not confirm it, whichever that is", async () => {
    const settlement = await executed(2);
    const { receipt } = await prove(settlement);
    expect(receipt).not.toBeNull();
    for (const rule of [REVERTED, WITHOUT_EVENT, ELSEWHERE, NOT_FINAL, SILENT]) {
      for (const which of [0, 1]) {
        from(rule, which);
        await expect(prove(settlement)).rejects.toMatchObject(REFUSED);
        // Two nodes that disagree prove nothing about the receipt either.
        await expect(statusOf(receipt)).rejects.toMatchObject(REFUSED);
        from(() => "pass", which);
      }
    }
    from(REVERTED, 0, 1);
    expect(await statusOf(receipt)).toBe("reversed");
  });

  it("not while the block that made it final is known to be gone", async () => {
    const settlement = await executed();
    const { receipt } = await prove(settlement);
    await bench.sql`update transfers set adrift_since = clock_timestamp() where owner_id = ${settlement.id}`;
    await expect(prove(settlement)).rejects.toMatchObject(REFUSED);
    expect(await statusOf(receipt)).toBe("reversed");
  });
});

describe("a quote's proof", () => {
  it("carries the settlement's status, and anyone who has it can ask what became of the promise", async () => {
    const settlement = await quoted();
    const { quote } = await prove(settlement);
    const claims = async (proof: string): Promise<Claims> => {
      const found = await verifyProof(proof, proofs.jwks);
      if (!found.valid) throw new Error(found.reason);
      return found.claims;
    };
    expect(await claims(quote)).toMatchObject({ sub: settlement.id, status: "quoted" });
    expect(await statusOf(quote)).toBe("in_force");
    await confirm(settlement);
    expect(await statusOf(quote)).toBe("in_force");
    expect(await claims((await prove(settlement)).quote)).toMatchObject({ status: "processing" });
    await bench.run(bench.newWorker(), [(await findTransferOf(bench.db, "settlement", settlement.id))?.id ?? ""]);
    expect(await statusOf(quote)).toBe("fulfilled");
    expect(await claims((await prove(settlement)).receipt ?? "")).toMatchObject({ status: "executed" });
  });

  it("does not hold once it is cancelled, or has run out, or waits for an admin", async () => {
    const settlement = await quoted();
    const { quote } = await prove(settlement);
    await cancelSettlement(ctx(), { ...partner, id: settlement.id });
    expect(await statusOf(quote)).toBe("cancelled");
    await bench.close();
    const lapsing = await quoted();
    const early = (await prove(lapsing)).quote;
    await setClockOffset(bench.db, 3_600_000);
    expect(await statusOf(early)).toBe("expired");
    await bench.close();
    expect(await statusOf((await prove(await quoted({ sourceAmountMinor: 10_000_000_000n }))).quote)).toBe("awaiting_approval");
  });

  it("is superseded by another price of the same settlement, and is expired when its settlement is forgotten", async () => {
    const settlement = await quoted();
    const claims = { iss: ISSUER, sub: settlement.id, quote_version: 2 };
    expect(await statusOf(proofs.sign?.("quote", claims) ?? "")).toBe("superseded");
    expect(await statusOf(proofs.sign?.("quote", { ...claims, sub: `tx_${"0".repeat(26)}` }) ?? "")).toBe("expired");
  });
});

it("exists only for what one of our keys signed under our address", async () => {
  const settlement = await quoted();
  const { quote } = await prove(settlement);
  const stranger = openProofKeys(ISSUER, [{ id: "now", key: randomBytes(32) }]);
  const forged = stranger.sign?.("quote", { iss: ISSUER, sub: settlement.id, quote_version: 1 }) ?? "";
  const elsewhere = proofs.sign?.("quote", { iss: "https://other.example", sub: settlement.id, quote_version: 1 }) ?? "";
  for (const proof of [forged, elsewhere, `${quote.slice(0, -4)}AAAA`, "hello"])
    await expect(readProofStatus(ctx(), proof)).rejects.toMatchObject({
      code: "validation_failed",
      particulars: { errors: [{ pointer: "/proof", code: "invalid" }] },
    });
  const keyless = { ...ctx(), proofs: openProofKeys(ISSUER, []) };
  await expect(readProofStatus(keyless, quote)).rejects.toMatchObject({ code: "route_not_found" });
});
