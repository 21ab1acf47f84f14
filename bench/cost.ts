import { randomUUID } from "node:crypto";
import type { BenchDatabase, BenchServer } from "#testing/stage/database.ts";
import { nanosecondsOf } from "./processes.ts";
import type { Job } from "./programs/job.ts";
import { expecting, type Send, sender } from "./programs/sender.ts";
import { table } from "./report.ts";
import { median } from "./rounds.ts";
import { grow, jobOf, keysOfPartners } from "./signed.ts";
import { onOwnStage, type Stage } from "./stage.ts";

type Sampling = { rounds: number; calls: number };
type Calls = readonly ["create", "confirm", "cancel", "get"];
const CALLS: Calls = ["create", "confirm", "cancel", "get"];
/** What one call takes. */
type Cost = { postgres: number; web: number; wal: number };

/**
 * What a signed request takes of PostgreSQL and of the web process, in CPU, and what it writes to the log: the figures that other work on the
 * machine changes least. One key on one connection, and sixteen keys with a connection each. The row in the API log is included.
 */
export async function measureCost(server: BenchServer, sampling: Sampling): Promise<string> {
  return await onOwnStage(server, async (stage, database) => {
    const web = await stage.startWeb();
    const keys = await keysOfPartners(stage, web.baseUrl);
    await grow(database, stage, web.baseUrl);
    const clients = keys.map((key) => ({ key, send: sender(key, web.baseUrl) }));
    const lines: string[][] = [];
    for (const callers of [clients.slice(0, 1), clients]) {
      const costs = await costsOf(stage, database, callers, sampling);
      for (const call of CALLS) lines.push(lineOf(`${call}, ${callers.length} ${callers.length === 1 ? "key" : "keys"}`, costs[call]));
    }
    return table(["One request", "PostgreSQL µs", "web µs", "log, bytes"], lines);
  });
}

type Client = { key: Job["keys"][number]; send: Send };

async function costsOf(stage: Stage, { owner }: BenchDatabase, clients: readonly Client[], { rounds, calls }: Sampling) {
  const each = Math.ceil(calls / clients.length);
  const costs: Record<Calls[number], Cost[]> = { create: [], confirm: [], cancel: [], get: [] };
  const measured = async (work: (client: Client, number: number) => Promise<unknown>): Promise<Cost> => {
    const [before, log] = [await now(), await logEnd(owner)];
    await Promise.all(
      clients.map(async (client) => {
        for (let number = 0; number < each; number += 1) await work(client, number);
      }),
    );
    // What follows a request, above all its row in the API log.
    await new Promise((resolve) => setTimeout(resolve, FOLLOWS_MS));
    const [after, end] = [await now(), await logEnd(owner)];
    const one = (total: number) => total / (each * clients.length);
    return { postgres: one(after.postgres - before.postgres) / 1_000, web: one(after.web - before.web) / 1_000, wal: one(end - log) };
  };
  const { createTarget, createBody, callbackUrl } = jobOf(stage, { kind: "create", baseUrls: [], seconds: 0 });
  for (let round = -1; round < rounds; round += 1) {
    const made = new Map<Client, string[]>(clients.map((client) => [client, []]));
    const create = async (client: Client) => {
      const { tx_id: id } = JSON.parse(await expecting(client.send, 201, ["POST", createTarget, createBody])) as { tx_id: string };
      made.get(client)?.push(id);
    };
    const next = (client: Client) => made.get(client)?.pop() ?? "";
    const confirm = (client: Client) => {
      const body = JSON.stringify({ external_tx_id: randomUUID(), callback_url: callbackUrl });
      return expecting(client.send, 200, ["POST", `${createTarget}/${next(client)}/confirm`, body]);
    };
    const cancel = (client: Client) => expecting(client.send, 200, ["POST", `${createTarget}/${next(client)}/cancel`]);
    const get = ({ key, send }: Client) => expecting(send, 200, ["GET", key.getTarget]);
    const creates = [await measured(create), await measured(create)];
    const taken = { create: creates, confirm: [await measured(confirm)], cancel: [await measured(cancel)], get: [await measured(get)] };
    // The first round warms up.
    if (round >= 0) for (const call of CALLS) costs[call].push(...taken[call]);
  }
  return costs;
}

/** Longer than a row waits for its batch. */
const FOLLOWS_MS = 500;

async function now() {
  return { postgres: nanosecondsOf("PostgreSQL"), web: nanosecondsOf("web") };
}

async function logEnd(owner: BenchDatabase["owner"]): Promise<number> {
  const [row] = await owner<{ at: string }[]>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`;
  return Number(row?.at);
}

function lineOf(name: string, costs: readonly Cost[]): string[] {
  const shown = (of: (cost: Cost) => number) => median(costs.map(of)).toFixed(0);
  return [name, shown(({ postgres }) => postgres), shown(({ web }) => web), shown(({ wal }) => wal)];
}
