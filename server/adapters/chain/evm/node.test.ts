import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeErrorResult, parseAbi } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { EvmRejected, Unreachable } from "#server/ports.ts";
import { evmNode } from "./node.ts";
import { explainRevert } from "./revert-reason.ts";

const SENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const RECIPIENT = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const PAYMENT = { to: RECIPIENT, valueBase: 0n, data: `0xa9059cbb${"0".repeat(128)}` };

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
});

type Asked = { id: number; method: string };
type Answering = (method: string) => object | string | null;
/** What a node says to a batch that it does not take. */
type Refused = { status: number; body: string };

/** A node that gives these answers, whatever the question, to each of a batch; a string is sent as it is, null is never answered. */
async function nodeThat(answer: Answering, timeoutMs = 2_000, refuse?: (calls: number) => Refused | null) {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked | Asked[];
      const refused = Array.isArray(asked) ? refuse?.(asked.length) : null;
      if (refused) return void response.writeHead(refused.status, { "content-type": "application/json" }).end(refused.body);
      const said = [asked].flat().map(({ id, method }) => ({ id, one: answer(method) }));
      const [first] = said;
      if (first?.one === null) response.writeHead(200, { "content-type": "application/json" }).write("{");
      else if (typeof first?.one === "string") response.end(first.one);
      else {
        const answers = said.map(({ id, one }) => ({ jsonrpc: "2.0", id, ...(typeof one === "object" ? one : {}) }));
        response.setHeader("content-type", "application/json").end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
      }
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return evmNode(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/api-key`, timeoutMs);
}

describe("which trace the work belongs to", () => {
  it("is sent along, of several calls in one request the first that has a trace", async () => {
    const heard: unknown[] = [];
    server = createServer((request, response) => {
      heard.push(request.headers.traceparent);
      request.resume().on("end", () => response.setHeader("content-type", "application/json").end("[]"));
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    let place: string | null = null;
    const node = evmNode(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 2_000, () => place);
    const ask = (at: string | null) => {
      place = at;
      return node.chainId().catch(() => {});
    };
    const [first, second] = [
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
    ];
    await Promise.all([ask(null), ask(first), ask(second)]);
    await ask(second);
    await ask(null);
    expect(heard).toEqual([first, second, undefined]);
  });
});

const error = (message: string, code = -32000) => ({ error: { code, message } });

describe("what a node says to signed bytes", () => {
  it("takes them, or had them: both are well", async () => {
    expect(await (await nodeThat(() => ({ result: `0x${"1".repeat(64)}` }))).send("0x02")).toBe("accepted");
    for (const words of [
      "already known",
      "ALREADY_EXISTS: already known",
      "transaction already imported",
      "known transaction: 0xab",
      "transaction already in mempool",
    ]) {
      server?.closeAllConnections();
      server?.close();
      expect(await (await nodeThat(() => error(words))).send("0x02"), words).toBe("known");
    }
  });

  const refusals: [string, string][] = [
    ["nonce too low: next nonce 5, tx nonce 4", "nonce_too_low"],
    ["OldNonce", "nonce_too_low"],
    ["replacement transaction underpriced", "underpriced"],
    ["transaction underpriced: tip needed 1, tip permitted 0", "underpriced"],
    ["max fee per gas less than block base fee: address 0xab", "underpriced"],
    ["FeeTooLow, MaxFeePerGas too low", "underpriced"],
    ["insufficient funds for gas * price + value", "insufficient_funds"],
    ["the method eth_sendRawTransaction does not exist/is not available", "not_supported"],
    ["exceeds block gas limit", "other"],
  ];
  for (const [words, kind] of refusals) {
    it(`"${words.slice(0, 40)}" is ${kind}`, async () => {
      const refused = await (await nodeThat(() => error(words))).send("0x02").catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(EvmRejected);
      expect(refused).toMatchObject({ kind });
    });
  }
});

describe("a node from which nothing is known", () => {
  const silences: [string, (method: string) => object | string | null][] = [
    ["hangs in the middle of its answer", () => null],
    ["answers with a page", () => "<html>Bad gateway</html>"],
    ["answers with something else", () => ({ result: { number: "not a number" } })],
    ["is busy", () => error("Too many requests", 429)],
    ["limits the rate", () => error("limit exceeded", -32005)],
    ["does not have the block", () => error("header not found")],
    ["threw the state away", () => error("missing trie node 0xab")],
    ["lost old blocks at its restart", () => error("BlockOutOfRangeError: block height is 356 but requested was 351")],
    ["failed inside", () => error("Internal error", -32603)],
  ];
  for (const [what, answer] of silences) {
    it(`is unreachable when it ${what}; the secret in its URL is not shown`, async () => {
      const node = await nodeThat(answer, 300);
      const thrown = await node.block("latest").catch((caught: unknown) => caught);
      expect(thrown).toBeInstanceOf(Unreachable);
      expect(`${thrown} ${JSON.stringify(thrown)} ${String((thrown as Error).cause)}`).not.toContain("api-key");
    });
  }
});

describe("what is asked in one turn", () => {
  const single = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "batch too long" } });
  const nodes: [string, number, ((calls: number) => Refused | null) | undefined][] = [
    ["goes out in one request", 1, undefined],
    ["is asked in shorter ones where a node refuses so many", 3, (calls) => (calls > 10 ? { status: 413, body: "{}" } : null)],
    ["is asked one by one where a node takes no batches", 20, () => ({ status: 200, body: single })],
  ];
  for (const [what, atLeast, refuse] of nodes) {
    it(`${what}, and each is answered`, async () => {
      let requests = 0;
      const node = await nodeThat(() => ({ result: "0x7" }), 2_000, refuse);
      server?.on("request", () => {
        requests += 1;
      });
      const nonces = await Promise.all(Array.from({ length: 20 }, () => node.nonce(SENDER, "latest")));
      expect(nonces).toEqual(Array.from({ length: 20 }, () => 7));
      if (refuse === undefined) expect(requests).toBe(1);
      else expect(requests).toBeGreaterThanOrEqual(atLeast);
    });
  }

  it("is unreachable together where the node is busy, and is not asked again at once", async () => {
    let requests = 0;
    const busy = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: 429, message: "Too many requests" } });
    const node = await nodeThat(
      () => ({ result: "0x7" }),
      2_000,
      () => ({ status: 200, body: busy }),
    );
    server?.on("request", () => {
      requests += 1;
    });
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => node.nonce(SENDER, "latest")));
    for (const answer of answers) expect(answer).toMatchObject({ status: "rejected", reason: expect.any(Unreachable) });
    expect(requests).toBe(1);
  });
});

describe("a simulation", () => {
  it("of a token that answers false is refused; one that answers nothing or true passes with its gas", async () => {
    const word = (last: string) => `0x${last.padStart(64, "0")}`;
    const answers = [word("0"), "0x", word("1")];
    const outcomes: unknown[] = [];
    for (const said of answers) {
      server?.closeAllConnections();
      server?.close();
      const node = await nodeThat((method) => ({ result: method === "eth_call" ? said : "0xc350" }));
      outcomes.push(await node.simulate(SENDER, PAYMENT));
    }
    expect(outcomes).toEqual([
      { outcome: "refused", reason: expect.any(String) },
      { outcome: "passes", gas: 50_000n },
      { outcome: "passes", gas: 50_000n },
    ]);
  });

  it("distinguishes a blocked treasury from a blocked recipient where the token does not: it refuses even to pay itself", async () => {
    const node = await nodeThat(() => error("execution reverted: Blacklistable: account is blacklisted", 3));
    expect(await node.simulate(SENDER, PAYMENT)).toEqual({
      outcome: "treasury",
      reason: "The token's blocklist refuses the treasury's wallet.",
    });
  });
});

describe("a revert in plain words", () => {
  const abi = parseAbi([
    "error Error(string)",
    "error Panic(uint256)",
    "error EnforcedPause()",
    "error Blocklisted(address account)",
    "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
    "error Unheard()",
  ]);
  const data = (
    errorName: "Error" | "Panic" | "EnforcedPause" | "Blocklisted" | "ERC20InsufficientBalance" | "Unheard",
    ...args: unknown[]
  ) => encodeErrorResult({ abi, errorName, args } as Parameters<typeof encodeErrorResult>[0]);
  const cases: [string, unknown, string, boolean][] = [
    ["a sentence", data("Error", "Token: the receiving wallet is blocklisted"), "The token's blocklist refuses this recipient.", false],
    [
      "a sentence about money",
      data("Error", "ERC20: transfer amount exceeds balance"),
      "The treasury holds too little of the token.",
      true,
    ],
    ["a sentence of its own", data("Error", "no\u0000way"), `The token's contract refused the transfer: "no way".`, false],
    ["a named error about the recipient", data("Blocklisted", RECIPIENT), "The token's blocklist refuses this recipient.", false],
    ["a named error about the sender", data("Blocklisted", SENDER), "The token's blocklist refuses the treasury's wallet.", true],
    ["a pause", data("EnforcedPause"), "The token's issuer has paused all transfers.", true],
    ["too little", data("ERC20InsufficientBalance", SENDER, 1n, 2n), "The treasury holds too little of the token.", true],
    ["a panic", data("Panic", 17n), "The token's contract failed while moving the funds.", false],
    ["an unknown error", data("Unheard"), `The token's contract refused the transfer (error ${data("Unheard")}).`, false],
    ["nothing", "0x", "The token's contract refused the transfer without a reason.", false],
    ["bytes in another place", { data: data("EnforcedPause") }, "The token's issuer has paused all transfers.", true],
    ["bytes behind a word", `Reverted ${data("EnforcedPause")}`, "The token's issuer has paused all transfers.", true],
  ];
  for (const [what, bytes, reason, treasury] of cases) {
    it(`is found in ${what}`, () => {
      expect(explainRevert(new RpcFault(3, "execution reverted", bytes), SENDER)).toMatchObject({ reason, treasury });
    });
  }
});
