import { z } from "zod";
import type { LapsingNode } from "#domain/lapsing-chain.ts";
import { Unreachable } from "#server/ports.ts";
import { Account, inContext, Key } from "./answers.ts";
import { findPayment } from "./find-payment.ts";
import { holdingIn } from "./judge-accounts.ts";
import { judgeRecipients } from "./judge-recipients.ts";
import { listSent } from "./list-sent.ts";
import { costOfPayment, preparePayment, simulatePayment } from "./prepare-payment.ts";
import { type Asked, accountOf, BASE64, finalBlock, mintOf, type SolanaRules } from "./read-chain.ts";
import { PREFLIGHT_FAILURE, SolanaRejected, type SolanaRpc } from "./solana-rpc.ts";

/** Of the first block's hash, in a cluster's CAIP-2 name: 23 bytes, as unique as all of it. */
const REFERENCE_LENGTH = 32;
/** How the sandbox's cluster names its version. */
const DOUBLE = /^sandbox/;
const Version = z.object({ "solana-core": z.string() });

function doubleOf({ "solana-core": version }: z.infer<typeof Version>): string | null {
  return DOUBLE.test(version) ? version : null;
}

/** A node of a Solana cluster. @throws Unreachable, Rejected */
export function solanaNode(rpc: SolanaRpc, rules: SolanaRules): LapsingNode {
  const asked = { rpc, rules };
  return {
    name: rpc.name,
    identity: async () => (await rpc.ask(Key, "getGenesisHash")).slice(0, REFERENCE_LENGTH),
    double: async () => doubleOf(await rpc.ask(Version, "getVersion")),
    async finalPoint() {
      const { height, at } = await finalBlock(asked);
      return { height, at };
    },
    prepare: (intent) => preparePayment(asked, intent),
    simulate: (unsigned) => simulatePayment(asked, unsigned),
    costOf: (intent) => costOfPayment(asked, intent),
    judgeRecipients: (recipients, token) => judgeRecipients(asked, recipients, token),
    balance: (address, token, atLeast = 0) => balanceOf(asked, { address, token, atLeast }),
    send: (raw) => send(rpc, raw),
    find: (attempt) => findPayment(asked, attempt),
    listSent: (query) => listSent(asked, query),
  };
}

type Holder = { address: string; token: string | null; atLeast: number };

async function balanceOf(asked: Asked, { address, token, atLeast }: Holder): Promise<bigint> {
  const { rpc, rules } = asked;
  const { height, slot } = await finalBlock(asked);
  const final = { ...BASE64, commitment: rules.commitment };
  const own = token === null ? address : await accountOf(address, token, await mintOf(asked, token));
  const { value, context } = await rpc.ask(inContext(Account), "getAccountInfo", own, final);
  // Behind one name there may be several machines, one of them behind.
  if (height < atLeast || context.slot < slot) throw new Unreachable(`${rpc.name} is behind block ${atLeast}`);
  return token === null ? (value?.lamports ?? 0n) : (holdingIn(value)?.amountBase ?? 0n);
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
