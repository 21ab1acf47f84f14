/** Sends signed requests as fast as they are answered. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { median } from "#bench/rounds.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";
import { Job, type Sent } from "./job.ts";
import { onTask } from "./run.ts";

type Answer = { status: number; text: string };
type Send = (method: string, target: string, body?: string) => Promise<Answer>;

type Key = Job["keys"][number];

function sender(credentials: Key, baseUrl: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port, host } = new URL(baseUrl);
  return (method, target, body) =>
    new Promise((resolve, reject) => {
      const framing = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
      const headers = [["Host", host], ...signedHeaders(credentials, { method, target, body }), ...framing].flat();
      const outgoing = request({ hostname, port, method, path: target, headers, agent }, (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
        incoming.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
}

/** One piece of work of each kind; a wrong answer ends the run. */
function workOf(job: Job, { getTarget }: Key, send: Send): () => Promise<unknown> {
  const expecting = async (status: number, method: string, target: string, body?: string) => {
    const answer = await send(method, target, body);
    if (answer.status !== status) throw new Error(`${method} ${target} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer.text;
  };
  const create = () => expecting(201, "POST", job.createTarget, job.createBody);
  switch (job.kind) {
    case "create":
      return create;
    case "get":
      return () => expecting(200, "GET", getTarget);
    case "pair":
      return async () => {
        const { tx_id } = JSON.parse(await create());
        if (!job.confirms) return await create();
        const body = JSON.stringify({ external_tx_id: randomUUID(), callback_url: job.callbackUrl });
        return await expecting(200, "POST", `${job.createTarget}/${tx_id}/confirm`, body);
      };
  }
}

function dealt<T>(among: readonly T[], number: number): T {
  const one = among[number % among.length];
  if (one === undefined) throw new Error("there is nothing to deal out");
  return one;
}

async function run(job: Job): Promise<Sent> {
  const spent = process.cpuUsage();
  const started = performance.now();
  const until = started + job.seconds * 1_000;
  const taken: number[] = [];
  const loop = async (number: number) => {
    const key = dealt(job.keys, number);
    const work = workOf(job, key, sender(key, dealt(job.baseUrls, number)));
    while (performance.now() < until) {
      const begun = performance.now();
      await work();
      taken.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: job.connections }, (_, number) => loop(number)));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(spent);
  return { done: taken.length, seconds, p50Ms: median(taken), cpuMs: (user + system) / 1_000 };
}

onTask((task) => run(Job.parse(task)));
