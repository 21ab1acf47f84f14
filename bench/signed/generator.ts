/** A process of its own that sends signed requests as fast as they are answered, so that its own CPU is told apart. Started by `load.ts`. */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { signedHeaders } from "#sandbox/client/signing.ts";
import { Job, type Tally } from "./job.ts";

type Sent = { status: number; text: string };

function sender(job: Job): (method: string, target: string, body?: string) => Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
  const { hostname, port, host } = new URL(job.baseUrl);
  return (method, target, body) =>
    new Promise((resolve, reject) => {
      const framing = body === undefined ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
      const headers = [["Host", host], ...signedHeaders(job.credentials, { method, target, body }), ...framing].flat();
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

/** A callback URL where nobody listens: no worker runs that would call it. */
const confirmBody = () => JSON.stringify({ external_tx_id: randomUUID(), callback_url: "http://127.0.0.1:9/callbacks" });

/** One round's work of each kind; what is not answered as it should be ends the run. */
function workOf(job: Job): () => Promise<void> {
  const send = sender(job);
  const expecting = async (status: number, method: string, target: string, body?: string) => {
    const answer = await send(method, target, body);
    if (answer.status !== status) throw new Error(`${method} ${target} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer.text;
  };
  const create = () => expecting(201, "POST", job.createTarget, job.createBody);
  switch (job.kind) {
    case "create":
      return async () => void (await create());
    case "get":
      return async () => void (await expecting(200, "GET", job.getTarget));
    case "pair":
      return async () => {
        const { tx_id } = JSON.parse(await create());
        if (!job.confirms) await create();
        else await expecting(200, "POST", `${job.createTarget}/${tx_id}/confirm`, confirmBody());
      };
  }
}

async function run(job: Job): Promise<Tally> {
  const work = workOf(job);
  const spent = process.cpuUsage();
  const started = performance.now();
  const until = started + job.seconds * 1_000;
  const taken: number[] = [];
  const lane = async () => {
    while (performance.now() < until) {
      const begun = performance.now();
      await work();
      taken.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: job.connections }, lane));
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(spent);
  const sorted = taken.toSorted((left, right) => left - right);
  return { done: taken.length, seconds, p50Ms: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, cpuSeconds: (user + system) / 1e6 };
}

process.once("message", (message) => {
  void run(Job.parse(message)).then(
    (tally) => process.send?.(tally, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
});
