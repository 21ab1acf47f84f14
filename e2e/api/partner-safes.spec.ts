import { expect, test } from "@playwright/test";
import { keccak256 } from "viem";
import { z } from "zod";
import { createMemberOperation, getMemberOperation, getMemberSafeInfoOperation } from "#contract/partner/member-operations.ts";
import {
  createFallbackHandlerOperation,
  createMasterContract130Operation,
  createMasterContract141Operation,
  createSafeOperation,
} from "#contract/partner/safe-operations.ts";
import { callNode } from "#sandbox/chain/rpc.ts";
import { codeHashOf } from "#server/adapters/chain/evm/safe/canonical.ts";
import { expectOperatorError, read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { asPartner, asRival, expectInvalid, freshName, freshPhone } from "../support/partner-surface.ts";
import { chain, sandbox } from "../support/running-sandbox.ts";
import { freshWallet } from "../support/settlements.ts";

/** Contract, part 6: Safes and the contracts that they need, on the sandbox's chain. */

const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]*$/)]);
const Mined = z.object({
  from: z.string(),
  to: z.string().nullable(),
  input: z.string(),
  value: z.string(),
  gas: z.string(),
  nonce: z.string(),
  chainId: z.string(),
});
const codeAt = async (address: string) => hex.parse(await callNode(chain.rpc_url, "eth_getCode", [address, "latest"]));

type EthTx = z.infer<typeof createSafeOperation.result>;

/** The answer is what the chain has, field by field, in a block. */
async function expectOnChain({ tx_hash, tx }: EthTx): Promise<void> {
  const mined = Mined.parse(await callNode(chain.rpc_url, "eth_getTransactionByHash", [tx_hash]));
  expect([mined.from, mined.to, mined.input]).toEqual([tx.from.toLowerCase(), tx.to?.toLowerCase() ?? null, tx.data]);
  expect([mined.value, mined.gas, mined.nonce, mined.chainId].map(Number)).toEqual([tx.value, tx.gas, tx.nonce, tx.chainId]);
  expect(await callNode(chain.rpc_url, "eth_getTransactionReceipt", [tx_hash])).toMatchObject({ status: "0x1" });
}

test("a Safe is deployed with its owners, and a partner sees it as the wallet of a member", async () => {
  const owners = [freshWallet(), freshWallet(), freshWallet()];
  const body = { chain: chain.chain, owners, threshold: 2, version: "1.3.0" };
  const made = read(createSafeOperation, await operator.call("POST", "/safes", body));
  await expectOnChain(made);
  const member = { external_user_id: freshName("owner"), phone: freshPhone(), wallet_address: made.contract_address };
  read(createMemberOperation, await asPartner.call("POST", "/partners/members", member));
  const info = read(getMemberSafeInfoOperation, await asPartner.call("GET", `/partners/members/${member.external_user_id}/safe`));
  expect(info).toMatchObject({ address: made.contract_address, threshold: 2, version: "1.3.0", nonce: 0, modules: [] });
  expect(info.owners.map((owner) => owner.toLowerCase())).toEqual(owners.map((owner) => owner.toLowerCase()));
  expect(keccak256(await codeAt(info.master_copy))).toBe(codeHashOf("master_copy", "1.3.0"));
  expectOperatorError(await asRival.call("GET", `/partners/members/${member.external_user_id}/safe`), 404, "not_found");
});

for (const [operation, contract, version, more] of [
  [createMasterContract130Operation, "master_copy", "1.3.0", {}],
  [createMasterContract141Operation, "master_copy", "1.4.1", {}],
  [createFallbackHandlerOperation, "fallback_handler", "1.3.0", { version: "1.3.0" }],
  [createFallbackHandlerOperation, "fallback_handler", "1.4.1", { version: "1.4.1" }],
] as const) {
  test(`${operation.path} deploys the canonical ${contract} ${version}, one more each call`, async () => {
    const deploy = async () => read(operation, await operator.call("POST", operation.path, { chain: chain.chain, ...more }));
    const [one, two] = [await deploy(), await deploy()];
    expect(one.contract_address).not.toBe(two.contract_address);
    for (const made of [one, two]) {
      await expectOnChain(made);
      expect(keccak256(await codeAt(made.contract_address))).toBe(codeHashOf(contract, version));
    }
  });
}

test("a member without a wallet gets a Safe that obeys the service alone", async () => {
  const body = { external_user_id: freshName("member"), phone: freshPhone() };
  const created = read(createMemberOperation, await asPartner.call("POST", "/partners/members", body));
  expect(created.safe_status).toBe("deploying");
  const path = `/partners/members/${created.id}`;
  const look = async () => read(getMemberOperation, await asPartner.call("GET", path));
  await expect.poll(async () => (await look()).safe_status, { timeout: 20_000 }).toBe("deployed");
  const info = read(getMemberSafeInfoOperation, await asPartner.call("GET", `${path}/safe`));
  expect(info).toMatchObject({
    address: (await look()).wallet_address,
    owners: [sandbox.treasury.address],
    threshold: 1,
    version: "1.4.1",
  });
});

test("what can be no Safe is 422, and a partner's key may deploy nothing", async () => {
  const good = { chain: chain.chain, owners: [freshWallet()], threshold: 1 };
  const refused = (more: Record<string, unknown>) => operator.call("POST", "/safes", { ...good, ...more });
  expectInvalid(await refused({ owners: [`0x${"0".repeat(40)}`] }), ["body", "owners", 0]);
  expectInvalid(await refused({ threshold: 2 }), ["body", "threshold"]);
  expectInvalid(await refused({ version: "1.2.0" }), ["body", "version"]);
  expectInvalid(await refused({ chain: "eip155:999" }), ["body", "chain"]);
  expectOperatorError(await asPartner.call("POST", "/safes", good), 403, "forbidden");
  expectOperatorError(await asPartner.call("GET", `/partners/members/${freshName("nobody")}/safe`), 404, "not_found");
});
