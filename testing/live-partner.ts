import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { getAddress } from "viem";
import { z } from "zod";
import { sign } from "#domain/signing.ts";
import { type ConsolePerson, consolePerson, refusalOfCall, resultOf } from "./console-person.ts";
import { callOverTls } from "./live-stage.ts";

/** What people and programs do with a service in live mode that has just been started (docs/runbooks/start-live.md, "After"). */

export type LiveService = {
  /** Of the proxy, https. */
  origin: string;
  /** The database as its owner. */
  ownerUrl: string;
  /** One of the operator's commands, with the environment of a web process. */
  command(name: "create-admin" | "confirm-device" | "create-operator-key", args: readonly string[]): Ended | Promise<Ended>;
};

type Ended = { status: number; stdout: string; stderr: string };

export type Key = { apiKey: string; apiSecret: string };

function must(held: boolean, sentence: string): void {
  if (!held) throw new Error(sentence);
}

/** Nothing listens there: it is retried for days, and blocks nothing. */
const CALLBACKS = "https://callbacks.example/settlements";
const LONGEST_MS = 300_000;

export function signedBy(secret: string, method: string, target: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = sign(secret, { timestamp, method, path: target, query: "", body: Buffer.from(body) });
  return { "x-service-timestamp": timestamp, "x-service-nonce": randomUUID(), "x-service-signature": signature };
}

/** Two admins by the command, two factors each, and a key that opens nothing before the second of them has confirmed it. */
export async function firstOperatorKey({ origin, ownerUrl, command }: LiveService): Promise<Key & { confirm(id: string): Promise<void> }> {
  const people: (ConsolePerson & { email: string })[] = [];
  for (const [name, email] of [["Ada Admin", "ada@example.com"] as const, ["Bea Admin", "bea@example.com"] as const]) {
    const made = await command("create-admin", [name, email]);
    must(made.status === 0, made.stderr);
    const person = consolePerson(origin, JSON.parse(made.stdout));
    await person.signIn();
    must(refusalOfCall(await person.query("proposals.list")) === "enrolment_required", "somebody with one factor gets in");
    await person.enrol();
    await person.signIn();
    people.push({ ...person, email });
  }
  const third = await command("create-admin", ["Cas Admin", "cas@example.com"]);
  must(third.status === 1 && third.stderr.includes("There are already two admins"), `a third admin: ${third.stderr}`);
  const [ada, bea] = people;
  if (ada === undefined || bea === undefined) throw new Error("there are two");
  const confirmed = await command("confirm-device", [ada.email]);
  must(confirmed.status === 0, confirmed.stderr);
  await confirmDevices(ada, bea.email);

  const make = async (email: string) => await command("create-operator-key", ["first operator", email, "partners:admin,read"]);
  must((await make("cas@example.com")).status === 1, "a key was made in the name of nobody");
  const made = await make(ada.email);
  must(made.status === 0, made.stderr);
  const printed = z.object({ api_key: z.string(), api_secret: z.string(), proposal_id: z.string() }).parse(JSON.parse(made.stdout));
  const { api_key: apiKey, api_secret: apiSecret, proposal_id: id } = printed;
  const signature = () => signedBy(apiSecret, "GET", "/partners", "");
  const opens = async () => (await callOverTls(origin, "GET", "/partners", { apiKey, ...signature() })).status;
  must((await opens()) === 401, "a key opens before it is confirmed");
  // Nobody counts before a day: this is the one thing here that only its owner can hurry on, in the database.
  must(refusalOfCall(await bea.mutate("proposals.confirm", { id })) === "same_approver", "an admin counts before a day is over");
  await aDayLater(ownerUrl);
  must(refusalOfCall(await ada.mutate("proposals.confirm", { id })) === "same_approver", "who proposed it may confirm it");
  must((await opens()) === 401, "a key opens before it is confirmed");
  resultOf(await bea.mutate("proposals.confirm", { id }));
  must((await opens()) === 200, "a confirmed key does not open");
  // What the key proposes counts a day after it was made.
  await aDayLater(ownerUrl);
  return { apiKey, apiSecret, confirm: async (other) => void resultOf(await bea.mutate("proposals.confirm", { id: other })) };
}

/** As under "Users & roles": the devices that are shown are confirmed. */
async function confirmDevices(by: ConsolePerson, email: string): Promise<void> {
  const { people } = z
    .object({ people: z.array(z.object({ id: z.string(), email: z.string() })) })
    .parse(resultOf(await by.query("people.list", {})));
  const user_id = people.find((person) => person.email === email)?.id;
  const { seen } = resultOf(await by.query("people.devices", { user_id }));
  resultOf(await by.mutate("people.confirmDevices", { user_id, seen }));
}

async function aDayLater(ownerUrl: string): Promise<void> {
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await owner`update users set created_at = created_at - interval '25 hours'`;
  await owner`update api_keys set created_at = created_at - interval '25 hours'`;
  await owner.end();
}

/** The first partner and its key, by the operator's; every change is refused unsigned, and the key works once the second admin has confirmed it. */
export async function firstPartner({ origin }: LiveService, operator: Awaited<ReturnType<typeof firstOperatorKey>>): Promise<Key> {
  const headers = { apiKey: operator.apiKey, "content-type": "application/json" };
  const post = async (target: string, content: object, status: number) => {
    const body = JSON.stringify(content);
    const unsigned = await callOverTls(origin, "POST", target, headers, body);
    must(unsigned.status === 401 && JSON.parse(unsigned.body).code === "signature_required", `unsigned: ${unsigned.body}`);
    const signature = signedBy(operator.apiSecret, "POST", target, body);
    const reply = await callOverTls(origin, "POST", target, { ...headers, ...signature }, body);
    must(reply.status === status, reply.body);
    return JSON.parse(reply.body);
  };
  const partner = await post("/partners", { name: "First partner", slug: "first-partner", roles: ["AGGREGATOR"] }, 201);
  const key = await post("/partners/api-keys", { partner_id: partner.id, name: "first" }, 202);
  const current = async () => {
    const signature = signedBy(key.api_secret, "GET", "/partners/current", "");
    return (await callOverTls(origin, "GET", "/partners/current", { apiKey: key.api_key, ...signature })).status;
  };
  must((await current()) === 401, "a partner's key opens before it is confirmed");
  await operator.confirm(key.proposal_id);
  must((await current()) === 200, "a partner's confirmed key does not open");
  return { apiKey: key.api_key, apiSecret: key.api_secret };
}

/** Quotes and confirms a settlement of 10,000.00 KES to a wallet of nobody, and waits until it was paid on the chain. */
export async function settle({ origin }: LiveService, key: Key, { chain, reference }: { chain: string; reference: string }): Promise<void> {
  const call = async (method: string, target: string, content: object | null) => {
    const body = content === null ? "" : JSON.stringify(content);
    const signature = signedBy(key.apiSecret, method, target, body);
    const headers = { authorization: key.apiKey, "content-type": "application/json", ...signature };
    const reply = await callOverTls(origin, method, target, headers, body);
    must(reply.status < 300, `${method} ${target}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body);
  };
  const wallet = getAddress(`0x${randomBytes(20).toString("hex")}`);
  const order = { source_amount: 1_000_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "shop-1" };
  const quoted = await call("POST", "/api/v1/settlements", { ...order, chain, wallet_address: wallet });
  await call("POST", `/api/v1/settlements/${quoted.tx_id}/confirm`, { external_tx_id: reference, callback_url: CALLBACKS });
  const deadline = Date.now() + LONGEST_MS;
  for (let status = ""; status !== "executed"; await sleep(500)) {
    status = (await call("GET", `/api/v1/settlements/${quoted.tx_id}`, null)).status;
    must(Date.now() < deadline, `${quoted.tx_id} is still ${status}`);
  }
}
