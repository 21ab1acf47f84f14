import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Cluster } from "./cluster.ts";
import type { Faucet } from "./faucet.ts";
import { type Knobs, NO_FAULTS, NodeView } from "./node-view.ts";
import { RpcFault, unknownMethod } from "./rpc-fault.ts";
import { RPC_METHODS, type RpcMethod } from "./rpc-methods.ts";

const Call = z.object({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.array(z.unknown()).default([]) });
/** The size limit of a request. */
const MOST_BYTES = 1024 * 1024;

const Fund = z.object({
  owner: z.string(),
  lamports: z.coerce.bigint().default(0n),
  tokens: z.record(z.string(), z.coerce.bigint()).default({}),
});
const Freeze = z.object({ owner: z.string(), mint: z.string(), isFrozen: z.boolean() });
const Faults = z.object({
  lag: z.int().min(0).optional(),
  keepsBlocks: z.int().min(1).nullable().optional(),
  hides: z.array(z.string()).optional(),
  balances: z.record(z.string(), z.string()).optional(),
  swallows: z.boolean().optional(),
  isSilent: z.boolean().optional(),
  prioritizationFee: z.int().min(0).optional(),
});
const Traffic = z.object({ floorPrice: z.coerce.bigint().optional(), isCongested: z.boolean().optional() });

/** By how much each final transaction that succeeded changed each owner's tokens. */
function movedIn(view: NodeView): object[] {
  const final = [...view.cluster.landed.values()].filter(({ fault, height }) => fault === null && height <= view.tip("finalized").height);
  return final.flatMap(({ signature, preTokens, postTokens }) => {
    const places = new Map([...preTokens, ...postTokens].map((balance) => [balance.accountIndex, balance]));
    return [...places].flatMap(([place, { owner, mint }]) => {
      const held = (balances: typeof preTokens) => BigInt(balances.find(({ accountIndex }) => accountIndex === place)?.amount ?? 0);
      const amount = held(postTokens) - held(preTokens);
      return amount === 0n ? [] : [{ signature, owner, mint, amount: String(amount) }];
    });
  });
}

/** What a test does to the cluster, or (`sandbox_faults`) to the node that it asks. */
function steering(cluster: Cluster, faucet: Faucet): Readonly<Record<string, RpcMethod>> {
  return {
    sandbox_advance: (_, [count]) => {
      cluster.produce(z.int().min(1).max(10_000).parse(count));
      return cluster.tip.height;
    },
    sandbox_fork: (_, [count, keeps]) => cluster.forkBack(z.int().min(1).parse(count), z.boolean().parse(keeps)) ?? null,
    sandbox_fund: async (_, [order]) => {
      const { owner, lamports, tokens } = Fund.parse(order);
      await faucet.fund(owner, lamports, tokens);
      return null;
    },
    sandbox_moved: (view) => movedIn(view),
    sandbox_freeze: async (_, [order]) => {
      const { owner, mint, isFrozen } = Freeze.parse(order);
      await faucet.freeze(owner, mint, isFrozen);
      return null;
    },
    sandbox_faults: (view, [faults]) => {
      view.knobs = { ...NO_FAULTS, ...Faults.parse(faults) } as Knobs;
      return null;
    },
    sandbox_traffic: (_, [traffic]) => {
      const { floorPrice = 0n, isCongested = false } = Traffic.parse(traffic);
      Object.assign(cluster, { floorPrice, isCongested });
      return null;
    },
  };
}

/** One node of the cluster, on its own port of this machine. */
export async function serveNode(
  cluster: Cluster,
  faucet: Faucet,
  { port, finalizedBehind }: { port: number; finalizedBehind: number },
): Promise<Server> {
  const view = new NodeView(cluster, finalizedBehind);
  const methods = { ...RPC_METHODS, ...steering(cluster, faucet) };

  async function answer(asked: unknown): Promise<object> {
    const call = Call.safeParse(asked);
    if (!call.success) return { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } };
    const { id, method, params } = call.data;
    try {
      const own = methods[method];
      if (own === undefined) throw unknownMethod();
      return { jsonrpc: "2.0", id, result: await own(view, params) };
    } catch (error) {
      const { code, message, data } = error instanceof RpcFault ? error : new RpcFault(-32602, `Invalid params: ${error}`);
      return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
    }
  }

  const server = createServer((request, response) => {
    void (async () => {
      const asked: unknown = JSON.parse(await readBody(request));
      const calls = [asked].flat();
      const isSteering = calls.some((call) => Call.safeParse(call).data?.method.startsWith("sandbox_"));
      if (view.knobs.isSilent && !isSteering) return;
      const answers: object[] = [];
      for (const call of calls) answers.push(await answer(call));
      response.setHeader("content-type", "application/json").end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
    })().catch(() => void request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error("a node is not asked that much");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
