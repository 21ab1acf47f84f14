import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { saveChainHead } from "#db/queries/transfers/chain-heads.ts";
import type { By } from "#domain/access.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { bookTreasury, keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addProvenPerson } from "#testing/people.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bookLoss } from "./book-loss.ts";
import { liftHalt } from "./lift-halt.ts";
import { watchOutflows } from "./watch-outflows.ts";

const THIEF = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** Code for a wallet's address: it calls the contract in the first word with the rest, for anyone, as a stolen delegation does. */
const OBEYS = "0x6020360360206000376000600060203603600060006000355af15000";

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
let rule: ProxyRule;
let wallet: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  rule = () => "pass";
  node = await startRpcProxy(chain.rpcUrl, (method, params) => rule(method, params));
  bench = await openTransferBench(chain, { confirmations: 3, rpcUrls: [node.url, chain.rpcUrl] });
  wallet = bench.addresses[0] ?? "";
  await bench.run(bench.newWorker(), [], 1);
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  const head = { height: 1, blockAt: new Date(), nodesUp: 2, nodesTotal: 2, trouble: null };
  await saveChainHead(bench.db, { chain: chain.chain, ...head });
  expect(await watch()).toBe(false);
});
afterEach(async () => {
  await bench.close();
  await node.stop();
});
afterAll(() => chain.stop());

const info = () => {
  const found = bench.ctx.evm.find(chain.chain);
  if (found === null) throw new Error("there is a chain");
  return found;
};
const watch = () => watchOutflows(bench.ctx, info());
const transferTo = (recipient: string, units: bigint) =>
  `a9059cbb${recipient.slice(2).toLowerCase().padStart(64, "0")}${(units * 1_000_000n).toString(16).padStart(64, "0")}`;

/** A stranger's transaction takes USDT out of the wallet, without the wallet's nonce. */
async function steal(units: bigint): Promise<string> {
  await chain.call("anvil_setCode", wallet, OBEYS);
  const data = `0x${chain.tokens.USDT.slice(2).toLowerCase().padStart(64, "0")}${transferTo(newAddress(), units)}`;
  const hash = await chain.call("eth_sendTransaction", { from: THIEF, to: wallet, data, gas: "0x30d40" });
  await chain.mine();
  return String(hash);
}
const halts = async () => (await listOpenHalts(bench.ctx)).map(({ scope, cause, evidence }) => ({ kind: scope.kind, cause, evidence }));
const kept = async () => await bench.sql`select hash, sender, amount_base::text as amount from unexplained_payments order by height`;
const fund = async () => {
  const answering = await findAnsweringNode(info());
  if (answering === null) throw new Error("a node answers");
  return (await bookTreasury(bench.ctx, answering)).map(({ currency, amountBase }) => `${amountBase} ${currency}`);
};

it("a theft is seen in the newest block, by its hash, and halts its wallet once, also when one node hides it", async () => {
  const hash = await steal(400n);
  rule = (method) => (method === "eth_getLogs" ? { result: [] } : "pass");
  await Promise.all([watch(), watch()]);
  const evidence = { transactions: [expect.objectContaining({ hash, sender: THIEF.toLowerCase() })] };
  expect(await halts()).toEqual([{ kind: "wallet", cause: "unexplained_outflow", evidence }]);
  expect(await kept()).toEqual([{ hash, sender: wallet.toLowerCase(), amount: "400000000" }]);
  const [halt] = await listOpenHalts(bench.ctx);
  const { by } = await addProvenPerson(bench.db, "admin");
  await liftHalt({ ...bench.ctx, mode: "sandbox" }, { by, haltId: halt?.id ?? "", reason: "looked into" });
  await chain.mine(5);
  await watch();
  expect([await halts(), (await kept()).length]).toEqual([[], 1]);
});

it("what our own payments move is no theft, nor what a wallet's own key signs: that is seen by its nonce", async () => {
  const owed = await bench.enqueuePayment();
  await bench.run(bench.newWorker(), [owed.id]);
  await chain.call("anvil_impersonateAccount", wallet);
  await chain.call("eth_sendTransaction", { from: wallet, to: chain.tokens.USDT, data: `0x${transferTo(newAddress(), 1n)}` });
  await chain.mine();
  await watch();
  expect([await halts(), await kept()]).toEqual([[], []]);
  await bench.sql`update wallets set state = 'retired'`;
  await watch();
  expect(await halts()).toMatchObject([{ cause: "unexplained_outflow" }]);
});

it("a node that refuses many blocks or results at once, or dies meanwhile, makes it skip nothing", async () => {
  const hash = await steal(7n);
  await chain.mine(50);
  const many = { code: -32005, message: "query returned more than 10000 results" };
  const span = ([filter]: unknown[]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock);
  };
  const sole = { ...info(), nodes: info().nodes.slice(0, 1) };
  rule = (method) => (method === "eth_getLogs" ? "refuse" : "pass");
  expect(await watchOutflows(bench.ctx, sole, 20)).toBe(false);
  expect(await kept()).toEqual([]);
  rule = (method, params) => (method === "eth_getLogs" && span(params) > 2 ? { error: many } : "pass");
  const more = [];
  for (let pass = 0; pass < 3; pass += 1) more.push(await watchOutflows(bench.ctx, sole, 20));
  expect(more).toEqual([true, true, false]);
  expect(await kept()).toMatchObject([{ hash }]);
});

it("a deposit hides no theft: nothing is booked of that token before two people book the loss, and then all of it is", async () => {
  const hash = await steal(400n);
  await watch();
  await chain.callToken("mint(address,uint256)", [wallet, 1_000_000_000n]);
  await chain.mine(4);
  expect(await fund()).toEqual([]);
  const [ana, ben]: By[] = [(await addProvenPerson(bench.db, "admin")).by, (await addProvenPerson(bench.db, "admin")).by];
  if (ana === undefined || ben === undefined) throw new Error("there are two people");
  const ctx = { ...bench.ctx, chains: bench.ctx.evm, mode: "live" as const };
  const { proposal } = await bookLoss(ctx, { by: ana, chain: chain.chain, hashes: [hash], reason: "stolen through a delegation" });
  await confirmProposal(ctx, { by: ben, id: proposal.id });
  expect(await fund()).toEqual(["1000000000 USDT"]);
  const balances = await listLedgerBalances(bench.db);
  expect(balances.find(({ account }) => account === "losses")).toMatchObject({ amount: 400_000_000n, currency: "USDT" });
  const { rules } = await auditDatabase({ db: bench.db, evm: bench.ctx.evm });
  expect(rules.flatMap(({ violations }) => violations)).toEqual([]);
});
