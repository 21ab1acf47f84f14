import { type Block, DOUBLE_NAME, type DoubleChain, type Info } from "./double-chain.ts";
import { RULES } from "./protocol.ts";
import type { Executed } from "./token-machine.ts";

const bare = (hex: string) => hex.replace(/^0x/, "").toLowerCase();
const named = (text: string) => Buffer.from(text, "utf8").toString("hex");

/** A block as `getnowblock` and `getblockbynum` show it. Tron's JSON leaves out what is zero. */
export function renderBlock({ id, height, parentId, timestamp, transactions }: Block): object {
  const raw_data = { ...(height > 0 && { number: height }), timestamp, parentHash: parentId, version: 31 };
  const shown = transactions.map(({ sent, result }) => ({ txID: sent.id, raw_data_hex: sent.raw, ret: [{ contractRet: result }] }));
  return { blockID: id, block_header: { raw_data }, ...(shown.length > 0 && { transactions: shown }) };
}

/** What `gettransactioninfobyid` shows. Numbers that are zero are left out, as Tron does. */
export function renderInfo(info: Info): object {
  const { sent, height, timestamp, result, energy, bandwidth } = info;
  const receipt = present({
    energy_usage: energy.usage,
    energy_fee: energy.feeSun,
    energy_usage_total: energy.total,
    net_usage: bandwidth.usage,
    net_fee: bandwidth.feeSun,
  });
  const failed = {
    result: "FAILED",
    resMessage: named(result === "REVERT" ? "REVERT opcode executed" : "Not enough energy for operation"),
  };
  return {
    id: sent.id,
    ...present({ fee: info.feeSun }),
    blockNumber: height,
    blockTimeStamp: timestamp,
    contractResult: [bare(info.returned)],
    contract_address: `41${bare(sent.contract)}`,
    receipt: { ...receipt, result },
    log: info.logs.map(({ address, topics, data }) => ({ address: bare(address), topics: topics.map(bare), data: bare(data) })),
    ...(result !== "SUCCESS" && failed),
  };
}

/** What `triggerconstantcontract` shows. */
export function renderConstant({ result, returned }: Executed, energy: bigint, penalty: bigint): object {
  const failed = result !== "SUCCESS";
  return {
    result: { result: true, ...(failed && { message: named("REVERT opcode executed") }) },
    energy_used: Number(energy),
    energy_penalty: Number(penalty),
    constant_result: [bare(returned)],
    transaction: { ret: [failed ? { ret: "FAILED" } : {}] },
  };
}

/** What `getchainparameters` shows, as far as a payment needs it. */
export function renderParameters(chain: DoubleChain): object {
  const parameters: Record<string, bigint> = {
    getTransactionFee: RULES.bandwidthFeeSun,
    getEnergyFee: chain.energyFeeSun,
    getMaxFeeLimit: RULES.largestFeeLimitSun,
    getMemoFee: chain.memoFeeSun,
    getFreeNetLimit: RULES.freeBandwidth,
  };
  return { chainParameter: Object.entries(parameters).map(([key, value]) => ({ key, ...present({ value }) })) };
}

/** What `getaccount` and `getaccountresource` show of an account; nothing where it was never activated. */
export function renderAccount(chain: DoubleChain, address: string): { account: object; resource: object } {
  const found = chain.accounts.find(address);
  if (found === null) return { account: {}, resource: {} };
  const { balanceSun, energyLeft, bandwidthLeft } = found;
  const bandwidth = { freeNetLimit: RULES.freeBandwidth, freeNetUsed: RULES.freeBandwidth - bandwidthLeft };
  return {
    account: { address: `41${bare(address)}`, ...present({ balance: balanceSun }) },
    resource: present({ ...bandwidth, EnergyLimit: energyLeft }),
  };
}

/** Who answers: what anyone sees who opens the double in a browser or asks for its node's facts. */
export function renderSelf(name: string, chain: DoubleChain): object {
  return { what: DOUBLE_NAME, name, network: chain.blocks[0]?.id, machineInfo: {}, configNodeInfo: { codeVersion: DOUBLE_NAME } };
}

function present(fields: Record<string, bigint>): Record<string, number> {
  return Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === 0n ? [] : [[key, Number(value)]])));
}
