import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { encodeFunctionData, getAddress, parseAbi, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import type { Member } from "#domain/member.ts";
import { SAFE_CONTRACTS, type SafeContract, type SafePlan, type SafeVersion } from "#domain/safe.ts";
import { processDeployments } from "#server/engines/safe-deployments/process-deployments.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { locateContracts } from "#server/services/safes/locate-contracts.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import type { TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { addDeployingMember, asSafe } from "#testing/safes.ts";
import { newAddress } from "#testing/transfers.ts";
import { planSweep } from "./plan-sweep.ts";

/**
 * Somebody who has the worker's log-in writes rows that say where money goes later: a member's wallet, a member's Safe, an order's step. What
 * the database does not refuse, the signer does; each test looks at the chain.
 */

let chain: TestChain;
let stage: MoneyStage;
let partner: TestPartner;
let worker: Database;
let thief: string;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(() => setUp());
afterEach(() => stage.close());
afterAll(() => chain.stop());

async function setUp(wallets = 1): Promise<void> {
  stage = await openMoneyStage(chain, { partners: 1, wallets });
  const [first] = stage.partners;
  if (first === undefined) throw new Error("the stage has no partner");
  partner = first;
  worker = processOf(stage.db, "worker");
  thief = newAddress();
}

/** The database's answer: how many rows were written, or why none was. */
async function tried(statement: string): Promise<string> {
  try {
    return `${(await worker.execute(sql.raw(statement))).count} rows`;
  } catch (error) {
    return String((error as { cause?: Error }).cause?.message ?? error);
  }
}

const REFUSED = /fixed|permission denied|does not become|by people and partners only/;
const treasury = () => stage.addresses[0] ?? "";
const evm = () => stage.ctx.evm.list()[0] as EvmChain;
const signed = async () => Number((await stage.sql`select count(*)::int as count from transaction_attempts`)[0]?.count);

/** Everything that workers and the provider do, until the payment is owed and then has ended, or for so many passes. */
async function work(isOver: () => Promise<boolean>, passes = 30): Promise<void> {
  const pass = stage.newWorker();
  for (let done = 0; done < passes && !(await isOver()); done += 1) {
    await stage.sql`update safe_deployments set look_at = clock_timestamp() where look_at is not null`;
    await processDeployments(stage.ctx, chain.chain);
    await pass();
    await stage.passTime();
    await stage.letLeasesLapse();
  }
}

async function payTopup(id: string): Promise<Awaited<ReturnType<typeof findTransferOf>>> {
  const look = () => findTransferOf(stage.db, "topup", id);
  await work(async () => {
    const owed = await look();
    return owed?.state === "executed" || (owed?.waitingReason ?? null) !== null;
  });
  return await look();
}

describe("a member that brought its wallet", () => {
  it("keeps it: its top-up reaches that wallet, and no other", async () => {
    const wallet = newAddress();
    const [victim, accomplice] = [await stage.addMember(partner, wallet), await stage.addMember(partner, thief)];
    const id = await stage.topUp(partner, { amountMinor: 100_000n, member: victim });
    for (const statement of [
      `update members set wallet_address = '${thief}' where id = '${victim}'`,
      `update members set safe_status = 'deploying' where id = '${victim}'`,
      `update members set safe_status = 'deploying', wallet_address = null where id = '${victim}'`,
      `update members set external_user_id = '${randomUUID()}' where id = '${victim}'`,
      `update members set id = '${randomUUID()}' where id = '${accomplice}'`,
      `insert into members select (jsonb_populate_record(m, '{"id": "${randomUUID()}", "phone": "+254700000009"}')).* from members m`,
      `update topups set member_id = '${accomplice}' where id = '${id}'`,
      `update topups set wallet_address = '${thief}' where id = '${id}'`,
    ])
      expect([statement, await tried(statement)]).toEqual([statement, expect.stringMatching(REFUSED)]);
    const later = await stage.topUp(partner, { amountMinor: 100_000n, member: victim });
    for (const each of [id, later]) expect(await payTopup(each)).toMatchObject({ state: "executed", recipient: wallet });
    expect(await stage.tokenBalance(wallet)).toBeGreaterThan(0n);
    expect(await stage.tokenBalance(thief)).toBe(0n);
    expect(await listOpenHalts(stage.ctx)).toEqual([]);
  });
});

describe("a member whose Safe is being deployed", () => {
  const newMember = () => addDeployingMember(stage, chain.chain, partner.partnerId);
  const walletOf = async ({ id }: Member) => {
    const [row] = await stage.sql<{ wallet: string }[]>`select wallet_address as wallet from members where id = ${id}`;
    return row?.wallet ?? "";
  };

  it("is paid at the Safe's own address: the signer pays no stranger's, whatever the rows of deployment and member say", async () => {
    const [victim, honest] = [await newMember(), await newMember()];
    const accomplice = await stage.addMember(partner, thief);
    const forged = `update safe_deployments set state = 'owed', owners = array['${treasury()}'], address = '${thief}', look_at = null where member_id = '${victim.id}'`;
    expect(await tried(forged)).toBe("1 rows");
    expect(await tried(`update members set wallet_address = '${thief}' where id = '${victim.id}'`)).toBe("1 rows");
    const id = await stage.topUp(partner, { amountMinor: 100_000n, member: victim.externalUserId });
    for (const statement of [
      `update members set safe_status = null where id = '${victim.id}'`,
      `update topups set member_id = '${accomplice}' where id = '${id}'`,
      `update safe_deployments set member_id = '${honest.id}' where member_id = '${victim.id}'`,
      `update safe_deployments set salt_nonce = '0x01' where member_id = '${honest.id}'`,
    ])
      expect([statement, await tried(statement)]).toEqual([statement, expect.stringMatching(REFUSED)]);
    expect(await payTopup(id)).toMatchObject({
      state: "queued",
      recipient: thief,
      waitingReason: expect.stringContaining("is not the wallet of the top-up's member"),
    });
    await work(async () => (await walletOf(honest)) !== "");
    const safe = await walletOf(honest);
    const own = await stage.topUp(partner, { amountMinor: 100_000n, member: honest.externalUserId });
    expect(await payTopup(own)).toMatchObject({ state: "executed", recipient: safe });
    expect([await stage.tokenBalance(thief), (await stage.tokenBalance(safe)) > 0n]).toEqual([0n, true]);
    expect(await evm().nodes[0]?.safe(safe)).toMatchObject({ owners: [treasury()], threshold: 1, modules: [] });
  });

  it("is paid there once its first owner was replaced, because the key was lost, and not before", async () => {
    await stage.close();
    await setUp(2);
    const member = await newMember();
    await work(
      async () =>
        (await evm()
          .nodes[0]?.safe(await walletOf(member))
          .catch(() => null)) != null,
    );
    const safe = await walletOf(member);
    const [, kept] = stage.signers;
    const signers = stage.signersOf({ keys: kept === undefined ? [] : [kept] });
    const without = stage.newTransfers({ ctx: { ...stage.ctx, db: worker, signers } });
    const orders = stage.newOrders();
    const id = await stage.topUp(partner, { amountMinor: 100_000n, member: member.externalUserId });
    for (let pass = 0; pass < 10 && (await findTransferOf(stage.db, "topup", id)) === null; pass += 1) {
      await orders();
      await stage.passTime();
    }
    const owed = (await findTransferOf(stage.db, "topup", id))?.id ?? "";
    await stage.run(without, [owed], 3);
    expect(await stage.transfer(owed)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("is not the wallet") });
    await asSafe(chain, getAddress(safe), { swapOwner: { from: getAddress(treasury()), to: getAddress(stage.addresses[1] ?? "") } });
    await stage.run(without, [owed]);
    expect(await stage.transfer(owed)).toMatchObject({ state: "executed", recipient: safe });
  });
});

describe("the creation of a member's Safe", () => {
  type Forged = { call: { to: string; data: string }; address: string; owners?: string[] };
  const SETUP = parseAbi(["function setup(address[], uint256, address, bytes, address, address, uint256, address)"]);
  const CREATE = parseAbi(["function createProxyWithNonce(address, bytes, uint256) returns (address)"]);
  /** `balanceOf` of an address: a call that succeeds. */
  const BALANCE = `0x70a08231${"0".repeat(64)}`;
  const home = (contract: SafeContract, version: SafeVersion) => evm().safes.homes(contract, version)[0]?.address ?? "";
  const planned = async (plan: SafePlan): Promise<Forged> => {
    const { call, address } = await evm().safes.createSafe(plan);
    return { call: { to: call.to ?? "", data: call.data }, address };
  };
  const calling = (plan: SafePlan, calls: { to?: string; data?: string; paidTo?: string }) => {
    const { owners, threshold, fallback_handler: handler, master_copy: logic, proxy_factory: to, saltNonce } = plan;
    const address = (text: string) => getAddress(text);
    const paid = calls.paidTo ?? zeroAddress;
    const first = [
      owners.map(address),
      BigInt(threshold),
      address(calls.to ?? zeroAddress),
      (calls.data ?? "0x") as `0x${string}`,
    ] as const;
    const rest = [address(handler), zeroAddress, 0n, address(paid)] as const;
    const initializer = encodeFunctionData({ abi: SETUP, args: [...first, ...rest] });
    return { to, data: encodeFunctionData({ abi: CREATE, args: [address(logic), initializer, saltNonce] }) };
  };
  const forgeries: Record<string, [make: (plan: SafePlan) => Promise<Forged>, reason: RegExp]> = {
    "a stranger as its owner": [
      async (plan) => ({ ...(await planned({ ...plan, owners: [thief] })), owners: [thief] }),
      /No key of 0x\w+ is here/,
    ],
    "a second owner": [
      async (plan) => ({ ...(await planned({ ...plan, owners: [...plan.owners, thief] })), owners: [...plan.owners, thief] }),
      /belongs to one wallet/,
    ],
    "another owner than its row names": [async (plan) => planned({ ...plan, owners: [thief] }), /another Safe/],
    "another logic contract": [async (plan) => planned({ ...plan, master_copy: home("master_copy", "1.3.0") }), /another Safe/],
    "another fallback handler": [async (plan) => planned({ ...plan, fallback_handler: thief }), /another Safe/],
    "another factory": [async (plan) => planned({ ...plan, proxy_factory: home("proxy_factory", "1.3.0") }), /another Safe/],
    "another salt": [async (plan) => planned({ ...plan, saltNonce: plan.saltNonce + 1n }), /another Safe/],
    "another address": [async (plan) => ({ ...(await planned(plan)), address: thief }), /another Safe/],
    "a call that the new Safe makes": [
      async (plan) => ({ ...(await planned(plan)), call: calling(plan, { to: chain.tokens.USDT, data: BALANCE }) }),
      /another Safe/,
    ],
    "a receiver of what the new Safe pays": [
      async (plan) => ({ ...(await planned(plan)), call: calling(plan, { paidTo: thief }) }),
      /another Safe/,
    ],
    "one byte more": [
      async (plan) => {
        const { call, address } = await planned(plan);
        return { call: { ...call, data: `${call.data}00` }, address };
      },
      /another Safe/,
    ],
  };

  async function planOf(member: Member): Promise<SafePlan & { id: string }> {
    const [row] = await stage.sql<
      { id: string; salt: string }[]
    >`select id, salt_nonce as salt from safe_deployments where member_id = ${member.id}`;
    const version = "1.4.1";
    const [master_copy, proxy_factory, fallback_handler] = SAFE_CONTRACTS.map((contract) => home(contract, version)) as [
      string,
      string,
      string,
    ];
    const contracts = { master_copy, proxy_factory, fallback_handler };
    return { id: row?.id ?? "", ...contracts, version, owners: [treasury()], threshold: 1, saltNonce: BigInt(row?.salt ?? 0) };
  }
  async function owe({ id }: { id: string }, { call, address, owners = [treasury()] }: Forged): Promise<string> {
    const list = owners.map((owner) => `'${owner}'`).join(", ");
    expect(
      await tried(
        `update safe_deployments set state = 'owed', owners = array[${list}], address = '${address}', look_at = null where id = '${id}'`,
      ),
    ).toBe("1 rows");
    const wanted = JSON.stringify({ ...call, value: "0", currency: "ETH", decimals: 18 });
    const transfer = newId("transfer", new Date());
    expect(await tried(`select * from owe_call('${transfer}', 'deployment', '${id}', null, '${wanted}')`)).toBe("1 rows");
    return transfer;
  }

  it.each(Object.entries(forgeries))("is not signed with %s", async (_name, [make, reason]) => {
    const plan = await planOf(await addDeployingMember(stage, chain.chain, partner.partnerId));
    const forged = await make(plan);
    const transfer = await owe(plan, forged);
    await stage.run(stage.newTransfers(), [transfer], 4);
    expect([await signed(), await evm().nodes[0]?.code(forged.address)]).toEqual([0, "0x"]);
    const { state, waitingReason } = await stage.transfer(transfer);
    const halts = (await listOpenHalts(stage.ctx)).map(({ detail, evidence }) => `${detail} ${JSON.stringify(evidence)}`);
    expect([state, [waitingReason, ...halts].join(" ")]).toEqual(["queued", expect.stringMatching(reason)]);
  });

  it("is signed and made as it was asked for", async () => {
    const plan = await planOf(await addDeployingMember(stage, chain.chain, partner.partnerId));
    const honest = await planned(plan);
    await stage.run(stage.newTransfers(), [await owe(plan, honest)]);
    expect(await evm().nodes[0]?.safe(honest.address)).toMatchObject({ owners: [treasury()], threshold: 1 });
  });

  it.each([
    ["a Safe", "safe", "shared", "null"],
    ["a Safe's other owner", "owner_swap", "shared", "null"],
    ["a contract of a partner", "master_copy", "shared", "a partner"],
    ["one more copy of a contract", "master_copy", "its own", "null"],
  ])("is asked for by people and partners alone, as is %s", async (_name, kind, sharing, whose) => {
    const [threshold, salt] = kind === "safe" ? ["1", "'0x1'"] : ["null", "null"];
    const partnerId = whose === "null" ? "null" : `'${partner.partnerId}'`;
    expect(
      await tried(`insert into safe_deployments (id, kind, chain, version, shared, threshold, salt_nonce, owners, partner_id, state, address, look_at, created_at, updated_at)
        values ('sd_forged', '${kind}', '${chain.chain}', '1.4.1', ${sharing === "shared"}, ${threshold}, ${salt}, array['${thief}'], ${partnerId}, 'asked', '${thief}', now(), now(), now())`),
    ).toMatch(REFUSED);
  });

  it("does not keep the worker from asking for the contracts that all Safes of a chain need", async () => {
    const asked = await locateContracts({ db: worker }, { ...evm(), nodes: [codeless(evm().nodes[0] as EvmNode)] }, "1.4.1");
    expect(asked).toMatchObject({ waiting: expect.any(String) });
    expect(await stage.sql`select kind, shared, state from safe_deployments order by kind`).toEqual(
      SAFE_CONTRACTS.toSorted().map((kind) => ({ kind, shared: true, state: "asked" })),
    );
  });
});

/** A node of a chain on which there is no contract. */
const codeless = (node: EvmNode): EvmNode => ({ ...node, code: async () => "0x" });

describe("a withdrawal", () => {
  const steps = (id: string, step: string, more = "") =>
    `update withdrawals set step = '${step}', status = 'processing', due_at = ${step === "paying_out" ? "now()" : "null"}${more} where id = '${id}'`;

  it("returns nothing that was not swept", async () => {
    const id = await stage.withdraw(partner, { amountMinor: 100_000n });
    const { safeAddress } = (await findWithdrawal(stage.db, id)) ?? { safeAddress: "" };
    const before = await stage.tokenBalance(safeAddress);
    const failed = ", tx_hash = '0x01', failure_reason = 'It will not pay.'";
    expect(await tried(steps(id, "returning", failed))).toMatch(REFUSED);
    expect(await tried(steps(id, "sweeping", `, treasury_address = '${treasury()}'`))).toBe("1 rows");
    expect(await tried(steps(id, "paying_out", ", tx_hash = '0x01'"))).toBe("1 rows");
    expect(await tried(steps(id, "returning", failed))).toBe("1 rows");
    const transfer = newId("transfer", new Date());
    expect(await tried(`select * from owe_order('${transfer}', 'return', '${id}', '${partner.partnerId}')`)).toBe("1 rows");
    await stage.run(stage.newTransfers(), [transfer], 5);
    expect(await stage.transfer(transfer)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("Nothing was swept") });
    expect([await stage.tokenBalance(safeAddress), await signed()]).toEqual([before, 0]);
  });

  it("returns nothing by another one's sweep", async () => {
    const honest = await stage.withdraw(partner, { amountMinor: 100_000n });
    const swept = () => findTransferOf(stage.db, "sweep", honest);
    await work(async () => (await swept())?.state === "executed");
    const hash = (await swept())?.txHash ?? "";
    const id = await stage.withdraw(partner, { amountMinor: 100_000n });
    const withdrawal = await findWithdrawal(stage.db, id);
    if (withdrawal === null) throw new Error("there is no withdrawal");
    const { safeAddress, tokenAddress, sourceAmountBase: amountBase } = withdrawal;
    const before = await stage.tokenBalance(safeAddress);
    expect(await tried(steps(id, "sweeping", `, treasury_address = '${treasury()}'`))).toBe("1 rows");
    const call = await planSweep(stage.powers, { chain: chain.chain, safeAddress, tokenAddress, amountBase, recipient: treasury() });
    const wanted = JSON.stringify({ to: call.to, value: String(call.valueBase), data: call.data, sender: call.sender });
    const [sweep, back] = [newId("transfer", new Date()), newId("transfer", new Date())];
    expect(await tried(`select * from owe_call('${sweep}', 'sweep', '${id}', '${partner.partnerId}', '${wanted}')`)).toBe("1 rows");
    const executed = `state = 'executed', tx_hash = '${hash}', executed_at = now(), due_at = null, block_number = 1, block_hash = '0x01'`;
    expect(await tried(`update transfers set ${executed} where id = '${sweep}'`)).toBe("1 rows");
    expect(await tried(steps(id, "paying_out", `, tx_hash = '${hash}'`))).toBe("1 rows");
    expect(await tried(steps(id, "returning", ", failure_reason = 'It will not pay.'"))).toBe("1 rows");
    expect(await tried(`select * from owe_order('${back}', 'return', '${id}', '${partner.partnerId}')`)).toBe("1 rows");
    await stage.run(stage.newTransfers(), [back], 5);
    expect(await stage.transfer(back)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("did not sign") });
    expect(await stage.tokenBalance(safeAddress)).toBe(before);
  });
});
