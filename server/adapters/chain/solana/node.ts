import { z } from "zod";
import type { LapsingNode } from "#domain/lapsing-chain.ts";
import { Unreachable } from "#server/ports.ts";
import { Account, inContext, Key, lamports } from "./answers.ts";
import { findPayment } from "./find-payment.ts";
import { holdingIn } from "./judge-accounts.ts";
import { preparePayment, simulatePayment } from "./prepare-payment.ts";
import { type Asked, accountOf, BASE64, finalBlock, mintOf, type SolanaRules } from "./read-chain.ts";
import { PREFLIGHT_FAILURE, SolanaRejected, type SolanaRpc } from "./solana-rpc.ts";

/** A node of a Solana cluster. @throws Unreachable, Rejected */
export function solanaNode(rpc: SolanaRpc, rules: SolanaRules): LapsingNode {
  const asked = { rpc, rules };
  return {
    name: rpc.name,
    identity: () => rpc.ask(Key, "getGenesisHash"),
    async finalPoint() {
      const { height, at } = await finalBlock(asked);
      return { height, at };
    },
    prepare: (intent) => preparePayment(asked, intent),
    simulate: (unsigned) => simulatePayment(asked, unsigned),
    async balance(address, token, atLeast = 0) {
      const { height } = await finalBlock(asked);
      if (height < atLeast) throw new Unreachable(`${rpc.name} is behind block ${atLeast}`);
      return await balanceOf(asked, address, token);
    },
    send: (raw) => send(rpc, raw),
    find: (attempt) => findPayment(asked, attempt),
  };
}

async function balanceOf(asked: Asked, address: string, token: string | null): Promise<bigint> {
  const final = { commitment: asked.rules.commitment };
  if (token === null) return (await asked.rpc.ask(inContext(lamports), "getBalance", address, final)).value;
  const own = await accountOf(address, token, await mintOf(asked, token));
  const found = await asked.rpc.ask(inContext(Account), "getAccountInfo", own, { ...BASE64, ...final });
  return holdingIn(found.value)?.amountBase ?? 0n;
}

/** The node plays it first, so what would fail costs no fee. It does not send it again by itself. */
async function send(rpc: SolanaRpc, raw: string): Promise<"accepted" | "known"> {
  try {
    await rpc.ask(z.string(), "sendTransaction", raw, { ...BASE64, preflightCommitment: "confirmed", maxRetries: 0 });
    return "accepted";
  } catch (error) {
    if (error instanceof SolanaRejected && error.code === PREFLIGHT_FAILURE && error.fault === "AlreadyProcessed") return "known";
    throw error;
  }
}
