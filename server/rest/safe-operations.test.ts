import { eq } from "drizzle-orm";
import { keccak256, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getMemberSafeInfoOperation } from "#contract/partner/member-operations.ts";
import { createSafeOperation } from "#contract/partner/safe-operations.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import { deploySafeContracts } from "#sandbox/chain/safes.ts";
import { codeHashOf } from "#server/adapters/chain/evm/safe/canonical.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { processDeployments } from "#server/engines/safe-deployments/process-deployments.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openPartnerStage, type PartnerCall, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, signatureOf } from "#testing/surface.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
let stage: PartnerStage;
let working: Promise<void>;
let operator: string;
let partner: string;
let over = false;

/** A worker that runs next to the requests, on a chain that mines everything. */
beforeAll(async () => {
  chain = await startTestChain();
  await deploySafeContracts(chain.rpcUrl);
  bench = await openTransferBench(chain, { onFinal: completeOwner, confirmations: 1 });
  stage = openPartnerStage(bench.db, { evm: bench.ctx.evm, chains: bench.ctx.evm });
  operator = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
  partner = (await issueKey(stage.ctx)).apiKey;
  const worker = bench.newWorker();
  working = (async () => {
    while (!over) {
      await processDeployments(bench.ctx, chain.chain);
      await runTransfersOnce(worker, chain.chain);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
});
afterAll(async () => {
  over = true;
  await working;
  await bench.close();
  await chain.stop();
});

const post = (target: string, body: unknown, call: PartnerCall = {}) => stage.call("POST", target, { apiKey: operator, body, ...call });
const node = () => bench.ctx.evm.list()[0]?.nodes[0];

/** The answer is what the chain has, field by field. */
async function expectOnChain({ tx_hash, contract_address, tx }: Record<string, unknown>): Promise<void> {
  const mined = (await chain.call("eth_getTransactionByHash", tx_hash)) as Record<string, string>;
  const lower = (text: unknown) => (typeof text === "string" ? text.toLowerCase() : text);
  const answered = Object(tx);
  expect({ from: mined.from, to: mined.to, data: mined.input }).toEqual({
    from: lower(answered.from),
    to: lower(answered.to),
    data: lower(answered.data),
  });
  const numbers = [mined.value, mined.gas, mined.nonce, mined.chainId].map(Number);
  expect(numbers).toEqual([answered.value, answered.gas, answered.nonce, answered.chainId]);
  expect(await chain.call("eth_getTransactionReceipt", tx_hash)).toMatchObject({ status: "0x1" });
  expect(await chain.call("eth_getCode", contract_address, "latest")).not.toBe("0x");
}

describe("POST /safes", () => {
  it("deploys one Safe for any number of copies of one signed request", async () => {
    const key = await issueKey(stage.ctx, { partnerId: null });
    const body = JSON.stringify({ chain: chain.chain, owners: [newAddress()], threshold: 1 });
    const headers = signatureOf(key.apiSecret, { method: "POST", target: "/safes", body });
    const send = () => stage.call("POST", "/safes", { apiKey: key.apiKey, body, headers });
    const before = await bench.db.$count(safeDeployments);
    const answers = await Promise.all(Array.from({ length: 6 }, send));
    expect(answers.map((answer) => answer.body.code ?? answer.status).toSorted()).toEqual([201, ...Array(5).fill("nonce_reused")]);
    expect((await send()).body.code).toBe("nonce_reused");
    expect(await bench.db.$count(safeDeployments)).toBe(before + 1);
    // No signature covers an Idempotency-Key: a new one admits nothing either.
    for (const idempotencyKey of ["copy-1", "copy-2"]) {
      const copy = { apiKey: key.apiKey, body, headers: { ...headers, "Idempotency-Key": idempotencyKey } };
      expect((await stage.call("POST", "/safes", copy)).body.code).toBe("nonce_reused");
    }
    expect(await bench.db.$count(safeDeployments)).toBe(before + 1);
  });

  it("deploys a Safe and answers 201 with its transaction, which is in a block", async () => {
    const owners = [newAddress(), newAddress()];
    const { status, body } = await post("/safes", { chain: chain.chain, owners, threshold: 1, version: "1.3.0" });
    expect(status).toBe(201);
    expect(createSafeOperation.result.parse(body)).toEqual(body);
    await expectOnChain(body);
    expect(await node()?.safe(body.contract_address)).toMatchObject({ owners, threshold: 1, version: "1.3.0" });
  });

  it("deploys 1.4.1 where no version is named", async () => {
    const { body } = await post("/safes", { chain: chain.chain, owners: [newAddress()], threshold: 1 });
    expect(await node()?.safe(body.contract_address)).toMatchObject({ version: "1.4.1" });
  });

  it("answers a repeat under the same Idempotency-Key with the same transaction, and one that comes at the same time with that or 409", async () => {
    const wish = { chain: chain.chain, owners: [newAddress()], threshold: 1 };
    const call = { headers: { "Idempotency-Key": "safe-1" } };
    const answers = await Promise.all([1, 2, 3].map(() => post("/safes", wish, call)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const { status, body } of answers) if (status !== 201) expect([status, body.code]).toEqual([409, "idempotency_in_progress"]);
    expect(new Set(made.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const again = await post("/safes", wish, call);
    expect([again.headers["Idempotent-Replayed"], again.body]).toEqual(["true", made[0]?.body]);
    expect((await post("/safes", { ...wish, owners: [newAddress()] }, call)).body).toMatchObject({ code: "idempotency_key_reused" });
    const stored = await bench.db.select().from(safeDeployments).where(eq(safeDeployments.address, made[0]?.body.contract_address));
    expect(stored).toHaveLength(1);
  });

  it("refuses what can be no Safe, and stores nothing of it", async () => {
    const before = await bench.db.$count(safeDeployments);
    const owner = newAddress();
    const good = { chain: chain.chain, owners: [owner], threshold: 1, version: "1.4.1" };
    const cases: [unknown, (string | number)[]][] = [
      [{ ...good, owners: [] }, ["body", "owners"]],
      [{ ...good, owners: [owner, owner] }, ["body", "owners"]],
      [{ ...good, owners: [owner, zeroAddress] }, ["body", "owners", 1]],
      [{ ...good, owners: ["0x0000000000000000000000000000000000000001"] }, ["body", "owners", 0]],
      [{ ...good, owners: ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"] }, ["body", "owners", 0]],
      [{ ...good, threshold: 0 }, ["body", "threshold"]],
      [{ ...good, threshold: 2 }, ["body", "threshold"]],
      [{ ...good, threshold: 1.5 }, ["body", "threshold"]],
      [{ ...good, version: "1.1.1" }, ["body", "version"]],
      [{ ...good, chain: "eip155:424242" }, ["body", "chain"]],
      [{ ...good, chain: "ethereum" }, ["body", "chain"]],
      [{ ...good, salt: 1 }, ["body", "salt"]],
    ];
    for (const [body, loc] of cases) {
      const answer = await post("/safes", body);
      expect([answer.status, answer.body.detail?.[0]?.loc]).toEqual([422, loc]);
    }
    expect(await bench.db.$count(safeDeployments)).toBe(before);
  });

  it("is the operator's: a partner's key gets 403, none 401", async () => {
    const body = { chain: chain.chain, owners: [newAddress()], threshold: 1 };
    for (const path of [
      "/safes",
      "/safes/master-contracts/1.3.0",
      "/safes/master-contracts/1.4.1",
      "/safes/compatibility-fallback-handler",
    ]) {
      expect((await post(path, body, { apiKey: partner })).status).toBe(403);
      expect((await stage.call("POST", path, { body })).status).toBe(401);
    }
  });
});

describe("POST /safes/master-contracts and /safes/compatibility-fallback-handler", () => {
  for (const [path, contract, version, more] of [
    ["/safes/master-contracts/1.3.0", "master_copy", "1.3.0", {}],
    ["/safes/master-contracts/1.4.1", "master_copy", "1.4.1", {}],
    ["/safes/compatibility-fallback-handler", "fallback_handler", "1.3.0", { version: "1.3.0" }],
    ["/safes/compatibility-fallback-handler", "fallback_handler", "1.4.1", {}],
  ] as const) {
    it(`deploys the canonical ${contract} ${version}, one more each call`, async () => {
      const answers = [await post(path, { chain: chain.chain, ...more }), await post(path, { chain: chain.chain, ...more })];
      expect(new Set(answers.map(({ body }) => body.contract_address)).size).toBe(2);
      for (const { status, body } of answers) {
        expect(status).toBe(201);
        await expectOnChain(body);
        expect(body.tx.to).toBeNull();
        const code = String(await chain.call("eth_getCode", body.contract_address, "latest"));
        expect(keccak256(code as `0x${string}`)).toBe(codeHashOf(contract, version));
      }
    });
  }
});

describe("GET /partners/members/{external_user_id}/safe", () => {
  const get = (target: string, apiKey = partner) => stage.call("GET", target, { apiKey });

  it("shows the Safe of a member that was created without a wallet, as the chain has it", async () => {
    const created = await stage.call("POST", "/partners/members", {
      apiKey: partner,
      body: { external_user_id: "m-1", phone: "+254712345678" },
    });
    expect([created.status, created.body.safe_status]).toEqual([201, "deploying"]);
    await expect.poll(async () => (await get("/partners/members/m-1")).body.safe_status).toBe("deployed");
    const member = (await get("/partners/members/m-1")).body;
    const { status, body } = await get("/partners/members/m-1/safe");
    expect(status).toBe(200);
    expect(getMemberSafeInfoOperation.result.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      address: member.wallet_address,
      owners: bench.addresses,
      threshold: 1,
      nonce: 0,
      modules: [],
      guard: zeroAddress,
    });
    expect(body.version).toBe("1.4.1");
    expect((await get(`/partners/members/${member.id}/safe`)).body).toEqual(body);
  });

  it("knows no Safe of an own wallet, of a stranger, or of another partner's member", async () => {
    const body = { external_user_id: "m-2", phone: "+254712345679", wallet_address: newAddress() };
    expect((await stage.call("POST", "/partners/members", { apiKey: partner, body })).status).toBe(201);
    expect((await get("/partners/members/m-2/safe")).body).toMatchObject({ code: "not_found", detail: "The member's wallet is no Safe." });
    const other = (await issueKey(stage.ctx)).apiKey;
    const foreign = await get("/partners/members/m-2/safe", other);
    const unknown = await get("/partners/members/nobody/safe");
    expect([foreign.status, { ...foreign.body, request_id: null }]).toEqual([404, { ...unknown.body, request_id: null }]);
  });
});
