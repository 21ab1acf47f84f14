import { z } from "zod";
import type { AccountState, Landed, TokenBalance } from "./blocks.ts";
import type { Commitment, NodeView } from "./node-view.ts";
import { badSignature, cleanedUp, invalidParams, noBlock, preflightFailure } from "./rpc-fault.ts";
import { type Incoming, readIncoming, tokenAccount } from "./runtime.ts";

export type RpcMethod = (view: NodeView, params: readonly unknown[]) => unknown;

/** It says what it is: live mode refuses it. */
const VERSION = { "solana-core": "sandbox 4.0.0 (litesvm, no cluster)", "feature-set": 0 };
const CommitmentOption = z.enum(["processed", "confirmed", "finalized"]).default("finalized");
const Options = z.looseObject({ commitment: CommitmentOption }).default({ commitment: "finalized" });
const SignaturesOption = z.object({
  commitment: CommitmentOption,
  limit: z.int().min(1).max(1_000).default(1_000),
  before: z.string().optional(),
});
const Key = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);

/** The JSON-RPC of a Solana node, as far as the service's adapter uses it. The shapes are those of the published interface. */
export const RPC_METHODS: Readonly<Record<string, RpcMethod>> = {
  getVersion: () => VERSION,
  getHealth: () => "ok",
  getGenesisHash: ({ cluster }) => cluster.genesisHash,
  getSlot: (view, [options]) => view.tip(commitmentOf(options)).slot,
  getBlockHeight: (view, [options]) => view.tip(commitmentOf(options)).height,
  getFirstAvailableBlock: (view) => view.oldest.slot,
  getBlockTime: (view, [slot]) => blockAt(view, slot).time,
  getBlock: (view, [slot]) => {
    const block = blockAt(view, slot);
    const parent = view.cluster.blockAt(block.height - 1);
    return {
      blockHeight: block.height,
      blockhash: block.hash,
      previousBlockhash: block.parentHash,
      parentSlot: parent.slot,
      blockTime: block.time,
    };
  },
  getLatestBlockhash: (view, [options]) => {
    const block = view.tip(commitmentOf(options));
    return inContext(view, commitmentOf(options), { blockhash: block.hash, lastValidBlockHeight: block.height + 150 });
  },
  isBlockhashValid: (view, [hash, options]) => {
    return inContext(view, commitmentOf(options), view.isRecent(z.string().parse(hash), commitmentOf(options)));
  },
  getBalance: (view, [address, options]) => {
    const state = view.account(Key.parse(address), commitmentOf(options));
    return inContext(view, commitmentOf(options), Number(state?.lamports ?? 0n));
  },
  getTokenAccountBalance: (view, [address, options]) => {
    const state = view.account(Key.parse(address), commitmentOf(options));
    const held = tokenAccount(state);
    if (held === null) throw invalidParams("could not find account");
    const amount = held.amount.toString();
    const decimals = view.account(held.mint, "processed")?.data[44] ?? 0;
    return inContext(view, commitmentOf(options), { amount, decimals, uiAmountString: amount });
  },
  getAccountInfo: (view, [address, options]) =>
    inContext(view, commitmentOf(options), shown(view.account(Key.parse(address), commitmentOf(options)))),
  getMultipleAccounts: (view, [addresses, options]) => {
    const states = z
      .array(Key)
      .max(100)
      .parse(addresses)
      .map((address) => shown(view.account(address, commitmentOf(options))));
    return inContext(view, commitmentOf(options), states);
  },
  getMinimumBalanceForRentExemption: ({ cluster }, [bytes]) => cluster.runtime.rentFor(z.int().min(0).parse(bytes)),
  getRecentPrioritizationFees: (view) => {
    const blocks = view.cluster.blocks.slice(-150);
    return blocks.map(({ slot }) => ({ slot, prioritizationFee: view.knobs.prioritizationFee }));
  },
  getSignatureStatuses: (view, [signatures]) => {
    const statuses = z
      .array(Signature)
      .max(256)
      .parse(signatures)
      .map((signature) => {
        const landed = view.landed(signature, "processed");
        if (landed === null) return null;
        const status = view.statusOf(landed.height);
        const confirmations = status === "finalized" ? null : view.tip("processed").height - landed.height;
        return { slot: landed.slot, confirmations, err: landed.fault, status: outcome(landed), confirmationStatus: status };
      });
    return inContext(view, "processed", statuses);
  },
  getSignaturesForAddress: (view, [address, options]) => {
    const asked = SignaturesOption.parse(options ?? {});
    if (asked.commitment === "processed") throw invalidParams("commitment below confirmed is not supported");
    const own = view.listLanded(Key.parse(address), asked.commitment).toReversed();
    const from = asked.before === undefined ? 0 : own.findIndex(({ signature }) => signature === asked.before) + 1;
    return own.slice(from, from + asked.limit).map(({ signature, slot, fault }) => {
      return { signature, slot, err: fault, memo: null, blockTime: blockAt(view, slot).time, confirmationStatus: asked.commitment };
    });
  },
  getTransaction: (view, [signature, options]) => {
    const commitment = commitmentOf(options);
    if (commitment === "processed") throw invalidParams("commitment below confirmed is not supported");
    const landed = view.landed(Signature.parse(signature), commitment);
    return (
      landed && {
        slot: landed.slot,
        blockTime: blockAt(view, landed.slot).time,
        version: 0,
        transaction: [landed.wire, "base64"],
        meta: metaOf(landed),
      }
    );
  },
  simulateTransaction: (view, [wire, options]) => {
    const wanted = z
      .looseObject({ sigVerify: z.boolean().default(false), replaceRecentBlockhash: z.boolean().default(false) })
      .parse(options ?? {});
    const incoming = read(wire);
    const isRecent = wanted.replaceRecentBlockhash || view.isRecent(incoming.blockhash, "processed");
    const played = view.cluster.runtime.simulate(incoming, wanted.sigVerify);
    const failure = isRecent ? played.fault : "BlockhashNotFound";
    return inContext(view, "processed", { err: failure, logs: played.logs, unitsConsumed: played.units, accounts: null, returnData: null });
  },
  sendTransaction: (view, [wire, options]) => {
    const { skipPreflight } = z.looseObject({ skipPreflight: z.boolean().default(false) }).parse(options ?? {});
    const incoming = read(wire);
    if (!skipPreflight) preflight(view, incoming);
    if (!view.knobs.swallows) view.cluster.accept(incoming);
    return incoming.signature;
  },
};

/** What a node asks of a transaction before it passes it on. */
function preflight(view: NodeView, incoming: Incoming): void {
  if (view.landed(incoming.signature, "processed") !== null)
    throw preflightFailure("This transaction has already been processed", { err: "AlreadyProcessed", logs: [] });
  if (!view.isRecent(incoming.blockhash, "processed"))
    throw preflightFailure("Blockhash not found", { err: "BlockhashNotFound", logs: [] });
  const { fault, logs, units } = view.cluster.runtime.simulate(incoming, true);
  if (fault === "SignatureFailure") throw badSignature();
  if (fault !== null) throw preflightFailure(JSON.stringify(fault), { err: fault, logs, unitsConsumed: units });
}

function read(wire: unknown): Incoming {
  try {
    return readIncoming(z.base64().parse(wire));
  } catch (error) {
    throw invalidParams(`failed to deserialize: ${error instanceof Error ? error.message : error}`);
  }
}

function commitmentOf(options: unknown): Commitment {
  return Options.parse(options ?? undefined).commitment;
}

function inContext(view: NodeView, commitment: Commitment, value: unknown): object {
  return { context: { slot: view.tip(commitment).slot, apiVersion: "4.0.0" }, value };
}

function blockAt(view: NodeView, slot: unknown) {
  const wanted = z.int().min(0).parse(slot);
  if (wanted < view.oldest.slot) throw cleanedUp(wanted, view.oldest.slot);
  const block = view.block(wanted);
  if (block === null) throw noBlock(wanted);
  return block;
}

function shown(state: AccountState): object | null {
  if (state === null || state.lamports === 0n) return null;
  const { lamports, data, owner, executable } = state;
  return {
    lamports: Number(lamports),
    data: [Buffer.from(data).toString("base64"), "base64"],
    owner,
    executable,
    rentEpoch: 0,
    space: data.length,
  };
}

function outcome(landed: Landed): object {
  return landed.fault === null ? { Ok: null } : { Err: landed.fault };
}

function metaOf(landed: Landed): object {
  const tokens = (balances: readonly TokenBalance[]) =>
    balances.map(({ amount, decimals, ...rest }) => ({ ...rest, uiTokenAmount: { amount, decimals, uiAmountString: amount } }));
  return {
    err: landed.fault,
    status: outcome(landed),
    fee: landed.fee,
    preBalances: landed.preBalances,
    postBalances: landed.postBalances,
    preTokenBalances: tokens(landed.preTokens),
    postTokenBalances: tokens(landed.postTokens),
    innerInstructions: landed.inner,
    logMessages: landed.logs,
    computeUnitsConsumed: landed.units,
    loadedAddresses: { writable: [], readonly: [] },
    rewards: [],
  };
}
