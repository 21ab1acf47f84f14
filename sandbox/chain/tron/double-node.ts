import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { toFunctionSelector } from "viem/utils";
import { z } from "zod";
import { renderAccount, renderBlock, renderConstant, renderInfo, renderParameters, renderSelf } from "./answers.ts";
import { DOUBLE_NAME, type DoubleChain } from "./double-chain.ts";
import { answerEvents } from "./events.ts";
import type { Knobs } from "./knobs.ts";
import { steer } from "./steer.ts";

export type DoubleNode = { url: string; knobs: Knobs; stop(): Promise<void> };

const Body = z.object({
  value: z.string().optional(),
  num: z.number().optional(),
  startNum: z.number().optional(),
  endNum: z.number().optional(),
  address: z.string().optional(),
  transaction: z.string().optional(),
  owner_address: z.string().optional(),
  contract_address: z.string().optional(),
  function_selector: z.string().optional(),
  parameter: z.string().optional(),
  data: z.string().optional(),
});
type Body = z.infer<typeof Body>;

const MOST_BYTES = 1_000_000;
const LOST = Symbol("lost");

/** Starts one node's HTTP interface to the double, on loopback. Several nodes may show the same chain. */
export async function startDoubleNode(chain: DoubleChain, name = "tron-double", wantedPort = 0): Promise<DoubleNode> {
  const knobs: Knobs = {
    lag: 0,
    forgetBelow: 0,
    hides: new Set(),
    forgetsIds: new Set(),
    isSilent: false,
    refusesWith: null,
    losesAnswers: false,
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    // The way to steer it stays open.
    if (knobs.isSilent && path !== "/double") return;
    readBody(request)
      .then((body) => said({ chain, knobs, name }, path, body))
      .then((answered) => {
        if (answered === LOST) request.socket.destroy();
        else response.setHeader("content-type", "application/json").setHeader("server", DOUBLE_NAME).end(JSON.stringify(answered));
      })
      .catch((error: unknown) => response.end(JSON.stringify({ Error: `class java.lang.Exception : ${String(error)}` })));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wantedPort, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    knobs,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Asked = { chain: DoubleChain; knobs: Knobs; name: string };

async function said({ chain, knobs, name }: Asked, path: string, body: unknown): Promise<unknown> {
  if (path === "/double") return await steer(chain, knobs, body);
  if (path === "/jsonrpc") return answerEvents(chain, knobs, body);
  return await answer(chain, knobs, name, path, Body.parse(body));
}

async function answer(chain: DoubleChain, knobs: Knobs, name: string, path: string, body: Body): Promise<unknown> {
  const [, side, method] = /^\/(wallet|walletsolidity)\/([a-z]+)$/.exec(path) ?? [];
  if (path === "/" || method === "getnodeinfo") return renderSelf(name, chain);
  const isSolid = side === "walletsolidity";
  const head = Math.max(0, (isSolid ? chain.solidHeight : chain.head.height) - knobs.lag);
  const shown = (height: number) => {
    const block = height > head || height < knobs.forgetBelow ? undefined : chain.blocks[height];
    return block && renderBlock({ ...block, transactions: block.transactions.filter(({ sent }) => !knobs.hides.has(sent.id)) });
  };
  switch (method) {
    case "getnowblock":
      return shown(head);
    case "getblockbynum":
      return (body.num === 0 ? renderBlock(chain.blocks[0] as never) : shown(body.num ?? 0)) ?? {};
    case "getblockbylimitnext": {
      const heights = Array.from(
        { length: Math.min(100, (body.endNum ?? 0) - (body.startNum ?? 0)) },
        (_, at) => (body.startNum ?? 0) + at,
      );
      return { block: heights.flatMap((height) => shown(height) ?? []) };
    }
    case "gettransactioninfobyid": {
      const info = chain.info(body.value ?? "");
      const denied = info === null || knobs.hides.has(info.sent.id) || knobs.forgetsIds.has(info.sent.id);
      return denied || info.height > head || info.height < knobs.forgetBelow ? {} : renderInfo(info);
    }
    case "gettransactionbyid": {
      const info = chain.info(body.value ?? "");
      if (info === null || knobs.hides.has(info.sent.id) || info.height > head || info.height < knobs.forgetBelow) return {};
      return { txID: info.sent.id, raw_data_hex: info.sent.raw, ret: [{ contractRet: info.result }] };
    }
    case "getchainparameters":
      return renderParameters(chain);
    case "getaccount":
      return renderAccount(chain, ofTron(body.address)).account;
    case "getaccountresource":
      return renderAccount(chain, ofTron(body.address)).resource;
    case "triggerconstantcontract":
      return await constant(chain, body);
    case "estimateenergy": {
      const { result, energy } = await chain.machine.play(callOf(body));
      const used = Number(chain.penalised(energy));
      return result === "SUCCESS" ? { result: { result: true }, energy_required: used } : { result: { code: "CONTRACT_EXE_ERROR" } };
    }
    case "broadcasthex":
      return await broadcast(chain, knobs, body.transaction ?? "");
    default:
      throw new Error(`this double does not answer ${path}`);
  }
}

async function broadcast(chain: DoubleChain, knobs: Knobs, hex: string): Promise<unknown> {
  const { code, message } = knobs.refusesWith ?? (await chain.broadcast(hex));
  if (knobs.losesAnswers) return LOST;
  return code === "SUCCESS" ? { result: true, code, message: "", transaction: hex } : { code, message, transaction: hex };
}

async function constant(chain: DoubleChain, body: Body): Promise<object> {
  const call = callOf(body);
  if (!(await chain.machine.isContract(call.contract)))
    return { result: { code: "CONTRACT_VALIDATE_ERROR", message: Buffer.from("Smart contract is not exist.").toString("hex") } };
  const done = await chain.machine.play(call);
  const energy = chain.penalised(done.energy);
  return renderConstant(done, energy, energy - done.energy);
}

function callOf({ owner_address, contract_address, function_selector, parameter, data }: Body) {
  const selector = function_selector === undefined ? "" : toFunctionSelector(`function ${function_selector}`).slice(2);
  return {
    owner: ofTron(owner_address),
    contract: ofTron(contract_address),
    data: `0x${data ?? `${selector}${parameter ?? ""}`}` as const,
  };
}

/** `41…` → `0x…` */
function ofTron(address = ""): `0x${string}` {
  return `0x${address.slice(2).toLowerCase()}`;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error("a node is not asked that much");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : JSON.parse(text);
}
