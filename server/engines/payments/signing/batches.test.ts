import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { type EvmTransaction, Rejected } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
const proxies: RpcProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(options?: BenchOptions) {
  bench = await openTransferBench(chain, options);
}

async function proxy(rule?: ProxyRule): Promise<RpcProxy> {
  const made = await startRpcProxy(chain.rpcUrl, rule);
  proxies.push(made);
  return made;
}

async function enqueuePayment(count: number) {
  return await Promise.all(Array.from({ length: count }, () => bench.enqueuePayment()));
}

/** Each was paid once, and of every wallet's sequence each nonce is a transfer's: no hole, none burnt. */
async function expectPaidOnce(owed: Awaited<ReturnType<typeof enqueuePayment>>): Promise<void> {
  for (const { id, recipient, amountBase } of owed) {
    expect(await bench.transfer(id)).toMatchObject({ state: "executed", waitingReason: null });
    expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect(await bench.finals(id)).toBe(1);
  }
  const wallets = await bench.sql`select next_nonce::int as next, array(
    select nonce::int from transactions where wallet_id = wallets.id order by nonce) as nonces from wallets`;
  for (const { next, nonces } of wallets) expect(nonces).toEqual(Array.from({ length: next }, (_, nonce) => nonce));
}

const ids = (owed: { id: string }[]) => owed.map(({ id }) => id);

describe("a batch", () => {
  it("is stored in one transaction, noted as sent in one, mined in one and ended in one", async () => {
    await setUp();
    const owed = await enqueuePayment(5);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await bench.sql`select distinct xmin::text from transactions`).toHaveLength(1);
    expect(await bench.sql`select distinct signed_at, broadcast_at from transaction_attempts`).toHaveLength(1);
    expect(await bench.sql`select distinct xmin::text from transfers where state = 'broadcast'`).toHaveLength(1);
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
    expect(await bench.sql`select distinct xmin::text from transfers where state = 'mined'`).toHaveLength(1);
    await bench.run(worker, ids(owed));
    expect(await bench.sql`select distinct xmin::text from transfers where state = 'executed'`).toHaveLength(1);
    await expectPaidOnce(owed);
  });

  it("is made without the one that the signer does not sign, and that one later, without a hole", async () => {
    const meddler = meddlingSigner();
    await setUp({ signers: [meddler.signer], funded: false });
    await chain.fund(meddler.address);
    const owed = await enqueuePayment(5);
    const second = owed[1]?.id ?? "";
    meddler.before = async ({ data }) => {
      if (pays(data, owed[1]?.recipient)) throw new Rejected("not that one");
    };
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await statesOf(owed)).toEqual(["broadcast", "queued", "broadcast", "broadcast", "broadcast"]);
    expect(await bench.transfer(second)).toMatchObject({ waitingReason: "The treasury wallet's signer refuses to sign." });
    meddler.before = async () => {};
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("is stored without the one that cannot be, which is reported and affects no other", async () => {
    await setUp();
    const owed = await enqueuePayment(4);
    const bad = owed[2]?.id ?? "";
    await asOwner(`create function refuse_one() returns trigger language plpgsql as $$
      begin if new.transfer_id = '${bad}' then raise exception 'not this one'; end if; return new; end $$;
      create trigger refuse_one before insert on transactions for each row execute function refuse_one()`);
    const worker = bench.newWorker();
    await bench.run(worker, ids(owed), 8);
    expect(await statesOf(owed)).toEqual(["executed", "executed", "queued", "executed"]);
    expect((await bench.transfer(bad)).waitingReason).toMatch(/internal error/);
    await asOwner("drop trigger refuse_one on transactions");
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("loses only the one that another worker takes between claim and store; what was signed after it moves up", async () => {
    const meddler = meddlingSigner();
    await setUp({ signers: [meddler.signer], funded: false });
    await chain.fund(meddler.address);
    const owed = await enqueuePayment(4);
    meddler.before = async ({ data }) => {
      if (pays(data, owed[1]?.recipient))
        await bench.sql`update transfers set lease_token = gen_random_uuid() where id = ${owed[1]?.id ?? ""}`;
    };
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await statesOf(owed)).toEqual(["broadcast", "queued", "broadcast", "broadcast"]);
    await bench.letLeasesLapse();
    meddler.before = async () => {};
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("is sent without the one that the node refuses, which is reported and affects no other", async () => {
    const node = await proxy((method) => (method === "eth_sendRawTransaction" ? "refuse" : "pass"));
    await setUp({ rpcUrls: [node.url] });
    const owed = await enqueuePayment(4);
    const last = owed[3]?.id ?? "";
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await statesOf(owed)).toEqual(["signed", "signed", "signed", "signed"]);
    const bad = (await bench.transaction(last)).attempts[0]?.rawBytes;
    const refusal = { error: { code: -32000, message: "exceeds block gas limit" } };
    node.rule = (method, [raw]) => (method === "eth_sendRawTransaction" && raw === bad ? refusal : "pass");
    await runTransfersOnce(worker, chain.chain);
    expect(await statesOf(owed)).toEqual(["broadcast", "broadcast", "broadcast", "signed"]);
    expect((await bench.transfer(last)).waitingReason).toMatch(/does not take the signed transaction/);
    node.rule = () => "pass";
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });
});

it("more is signed and sent while payments are being ended, as long as that takes", async () => {
  await setUp({ confirmations: 2 });
  const worker = bench.newWorker({ timings: { batch: 2 } });
  const pass = () => runTransfersOnce(worker, chain.chain);
  const [ending] = await enqueuePayment(1);
  for (let block = 0; block < 2; block += 1) {
    await pass();
    await chain.mine();
  }
  const owed = await enqueuePayment(6);
  const states = async () => (await Promise.all(ids(owed).map(bench.transfer))).map(({ state }) => state);
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  await bench.sql.begin(async (held) => {
    await held`select 1 from transfers where id = ${ending?.id ?? ""} for update`;
    resolve(pass());
    await expect.poll(states, { timeout: 2_500 }).toEqual(Array(6).fill("broadcast"));
    expect(await bench.transfer(ending?.id ?? "")).toMatchObject({ state: "mined" });
  });
  await ended;
  await bench.run(worker, ids(owed));
  await expectPaidOnce([...owed, ...(ending ? [ending] : [])]);
});

describe("several wallets", () => {
  it("sign at the same time: none waits for what another one's signer takes", async () => {
    const met = new Set<string>();
    const all = Promise.withResolvers<void>();
    const meddlers = Array.from({ length: 4 }, () => meddlingSigner());
    for (const meddler of meddlers)
      meddler.before = async () => {
        if (met.add(meddler.address).size === meddlers.length) all.resolve();
        await all.promise;
      };
    await setUp({ signers: meddlers.map(({ signer }) => signer), funded: false });
    for (const { address } of meddlers) await chain.fund(address);
    const owed = await enqueuePayment(12);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const rows = await bench.sql`select next_nonce::int as made from wallets`;
    expect(rows.map(({ made }) => made)).toEqual([3, 3, 3, 3]);
    await bench.run(worker, ids(owed));
    await expectPaidOnce(owed);
  });

  it("of which one cannot pay the network's fee: the other pays everything, what it has no room for just now included", async () => {
    await setUp({ wallets: 2, funded: false });
    const [rich, poor] = bench.addresses;
    if (rich === undefined || poor === undefined) throw new Error("the bench has two wallets");
    await chain.fund(rich, { ether: 1, tokens: 1_000 });
    await chain.fund(poor, { ether: 0.00002, tokens: 1_000 });
    const owed = await enqueuePayment(5);
    const worker = bench.newWorker({ timings: { maxInFlight: 2 } });
    await runTransfersOnce(worker, chain.chain);
    expect((await statesOf(owed)).toSorted()).toEqual(["broadcast", "broadcast", "queued", "queued", "queued"]);
    // What the busy one is to pay is not said to wait for money.
    expect(await bench.sql`select id from transfers where waiting_reason is not null`).toEqual([]);
    await bench.run(worker, ids(owed), 30);
    await expectPaidOnce(owed);
    expect(await bench.sql`select next_nonce::int as made from wallets where address = ${poor}`).toEqual([{ made: 0 }]);
  });

  it("looks again with the next block, and not over and over, while the one that can pay has no room", async () => {
    await setUp({ wallets: 2, funded: false });
    const [rich, poor] = bench.addresses;
    if (rich === undefined || poor === undefined) throw new Error("the bench has two wallets");
    await chain.fund(rich, { ether: 1, tokens: 1_000 });
    await chain.fund(poor, { ether: 0.00002, tokens: 1_000 });
    const owed = await enqueuePayment(12);
    const worker = bench.newWorker({ timings: { maxInFlight: 2 } });
    const verdicts: string[] = [];
    for (let pass = 0; pass < 3; pass += 1) verdicts.push(await runTransfersOnce(worker, chain.chain));
    expect(verdicts).toEqual(["idle", "idle", "idle"]);
    expect((await statesOf(owed)).filter((state) => state === "broadcast")).toHaveLength(2);
  });
});

describe("a far node", () => {
  /** What an answer takes, and what is to follow from it. */
  const LATENCY_MS = 80;
  const PAYMENTS_A_SECOND = 200;

  it("is waited for a few times a batch, however many payments that has: 200 a second at 80 ms", async () => {
    const node = await proxy();
    await setUp({ rpcUrls: [node.url], confirmations: 1, rpcTimeoutMs: 60_000 });
    const worker = bench.newWorker({ timings: { lookMs: 60_000, restMs: 0, leaseSeconds: 120, balanceMs: 600_000 } });
    await runTransfersOnce(worker, chain.chain);
    const { batch } = worker.timings;
    const owed: Awaited<ReturnType<typeof enqueuePayment>> = [];
    for (let pass = 0; pass < 2; pass += 1) {
      // In the second pass a batch begins while the one before ends.
      owed.push(...(await enqueuePayment(batch)));
      node.waits = 0;
      node.delayMs = LATENCY_MS;
      await runTransfersOnce(worker, chain.chain);
      node.delayMs = 0;
      const [row] = await bench.sql`select count(*)::int as sent from transfers where state = 'broadcast'`;
      expect(row?.sent).toBe(batch);
      const atMost = (1_000 * batch) / (node.waits * LATENCY_MS);
      expect(atMost, `${node.waits} waits a batch`).toBeGreaterThan(PAYMENTS_A_SECOND);
      await chain.mine();
    }
    const [done] = await bench.sql`select count(*)::int as ended from transfers where state = 'executed'`;
    expect(done?.ended).toBe(batch);
    await bench.run(worker, ids(owed.slice(-1)));
    expect(new Set(await statesOf(owed))).toEqual(new Set(["executed"]));
  });
});

async function statesOf(owed: readonly { id: string }[]): Promise<string[]> {
  return await Promise.all(owed.map(async ({ id }) => (await bench.transfer(id)).state));
}

function pays(data: string, recipient = "nobody"): boolean {
  return data.includes(recipient.slice(2).toLowerCase());
}

/** A signer that another machine might be: `before` is waited for, and may refuse. */
function meddlingSigner() {
  const key = generatePrivateKey();
  const { kind, address, signTransaction } = localKeySigner(async () => key);
  const meddler = {
    address: privateKeyToAddress(key),
    before: async (_unsigned: EvmTransaction) => {},
    signer: {
      kind,
      address,
      async signTransaction(unsigned: EvmTransaction) {
        await meddler.before(unsigned);
        return await signTransaction(unsigned);
      },
    },
  };
  return meddler;
}

async function asOwner(statement: string): Promise<void> {
  const owner = openDatabase({ url: bench.url, applicationName: "owner", maxConnections: 1 });
  await owner.sql.unsafe(statement);
  await owner.close();
}
