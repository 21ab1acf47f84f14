import { createServer, type IncomingMessage, type Server } from "node:http";
import { keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { z } from "zod";
import { simulatedWalletOf } from "#domain/simulated-wallet.ts";
import { CONFIRMATIONS } from "#sandbox/chain/anvil.ts";
import { callNode } from "#sandbox/chain/rpc.ts";
import type { Part } from "#server/process/supervisor.ts";

const Call = z.object({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.array(z.unknown()).default([]) });
type Call = z.infer<typeof Call>;
const Receipt = z.object({ blockNumber: z.string() }).nullable();

/** The size limit of a request to a development node. */
const MOST_BYTES = 8 * 1024 * 1024;

export type SteeredNode = { url: string; stop(): Promise<void> };

/** The same as a part of the sandbox. It shares its process with others, so it ends only on request. */
export function steeredNode(nodeUrl: string, port: number): Part {
  return {
    name: "The sandbox's world around the chain",
    async start() {
      const { stop } = await startSteeredNode(nodeUrl, port);
      const ended = Promise.withResolvers<string>();
      return { exited: ended.promise, stop: () => stop().then(() => ended.resolve("stopped")) };
    },
  };
}

/**
 * The sandbox's chain as the service sees it: a development node with special treatment of payments to certain wallets
 * (`SIMULATED_WALLETS`). Its state ends with the process: a payment that was stuck is then stuck once more.
 */
export async function startSteeredNode(nodeUrl: string, wantedPort = 0): Promise<SteeredNode> {
  /** By sender and nonce, the first attempt of a payment to be stuck. */
  const firstAttempts = new Map<string, string>();
  /** Payments to be dropped once, and dropped ones. */
  const toDrop = new Set<string>();
  const dropped = new Set<string>();

  /** The node accepts it and it reaches nobody: the answer in its place. null: it is forwarded. */
  function keepBack(payment: SentPayment): string | null {
    const steered = simulatedWalletOf(payment.recipient);
    if (steered === "999954" && !dropped.has(payment.hash)) toDrop.add(payment.hash);
    if (steered !== "999953") return null;
    const place = `${payment.sender}:${payment.nonce}`;
    const first = firstAttempts.get(place) ?? payment.hash;
    firstAttempts.set(place, first);
    return first === payment.hash ? payment.hash : null;
  }

  async function answer(body: string): Promise<string> {
    for (const hash of toDrop) await dropBlocksOf(hash);
    const asked: unknown = JSON.parse(body);
    const kept = new Map<Call["id"], string>();
    for (const call of z.array(Call).parse([asked].flat())) {
      if (call.method !== "eth_sendRawTransaction") continue;
      const payment = await readPayment(call.params[0]);
      const hash = payment && keepBack(payment);
      if (hash) kept.set(call.id, hash);
    }
    if (kept.size === 0) return await forward(nodeUrl, body);
    const heard = [asked].flat().filter((call) => !kept.has(Call.parse(call).id));
    const answers: unknown = heard.length === 0 ? [] : JSON.parse(await forward(nodeUrl, JSON.stringify(heard)));
    const own = [...kept].map(([id, result]) => ({ jsonrpc: "2.0", id, result }));
    return JSON.stringify(Array.isArray(asked) ? [...z.array(z.unknown()).parse(answers), ...own] : own[0]);
  }

  /**
   * Drops the blocks from the payment's on, one block before it is final: the service has seen it in a block. If it is too late for that,
   * nothing happens.
   */
  async function dropBlocksOf(hash: string): Promise<void> {
    const receipt = Receipt.parse(await callNode(nodeUrl, "eth_getTransactionReceipt", [hash]));
    if (receipt === null) return;
    const depth = Number(await callNode(nodeUrl, "eth_blockNumber")) - Number(receipt.blockNumber) + 1;
    if (depth < CONFIRMATIONS - 1 || !toDrop.delete(hash)) return;
    dropped.add(hash);
    if (depth < CONFIRMATIONS) await callNode(nodeUrl, "anvil_reorg", [depth, []]);
  }

  const server = createServer((request, response) => {
    readBody(request)
      .then(answer)
      .then(
        (text) => void response.setHeader("content-type", "application/json").end(text),
        // As a node that is away: nobody guesses what it would have said.
        () => void request.socket.destroy(),
      );
  });
  const port = await listen(server, wantedPort);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(nodeUrl: string, body: string): Promise<string> {
  const reply = await fetch(nodeUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  return await reply.text();
}

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

function listen(server: Server, wantedPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(wantedPort, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the steered node has no port"));
      else resolve(address.port);
    });
  });
}

/** Selector, recipient and amount of an ERC-20 token's `transfer`. */
const TOKEN_TRANSFER = /^0xa9059cbb0{24}([0-9a-f]{40})[0-9a-f]{64}$/;
const Raw = z.templateLiteral(["0x02", z.string().regex(/^[0-9a-f]+$/)]);

/** A payment as it was sent; addresses in small letters. */
type SentPayment = { hash: string; sender: string; nonce: number; recipient: string };

/** null: it is not a payment, or not of the kind that the service signs (EIP-1559). */
async function readPayment(raw: unknown): Promise<SentPayment | null> {
  const bytes = Raw.safeParse(raw);
  if (!bytes.success) return null;
  const { to, data, nonce } = parseTransaction(bytes.data);
  const recipient = data === undefined ? to : TOKEN_TRANSFER.exec(data)?.[1];
  if (recipient === undefined || recipient === null) return null;
  const sender = await recoverTransactionAddress({ serializedTransaction: bytes.data });
  return { hash: keccak256(bytes.data), sender: sender.toLowerCase(), nonce: nonce ?? 0, recipient: recipient.toLowerCase() };
}
