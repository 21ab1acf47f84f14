/** Sends signed requests as fast as they are answered. */
import { randomInt, randomUUID } from "node:crypto";
import { median } from "#bench/rounds.ts";
import { Job, type Sent } from "./job.ts";
import { onTask } from "./run.ts";
import { expecting, type Send, sender } from "./sender.ts";

type Key = Job["keys"][number];

const WALLETS = 1_000;
const merchantsWallet = () => `0x70997970c51812dc3a010c7d01b50e0d${randomInt(WALLETS).toString(16).padStart(8, "0")}`;

/** One piece of work of each kind; a wrong answer ends the run. */
function workOf(job: Job, { getTarget }: Key, send: Send): () => Promise<unknown> {
  const create = () => expecting(send, 201, ["POST", job.createTarget, job.createBody.replace(job.recipient, merchantsWallet())]);
  switch (job.kind) {
    case "create":
      return create;
    case "get":
      return () => expecting(send, 200, ["GET", getTarget]);
    case "pair":
      return async () => {
        const { tx_id } = JSON.parse(await create());
        if (!job.confirms) return await create();
        const body = JSON.stringify({ external_tx_id: randomUUID(), callback_url: job.callbackUrl });
        return await expecting(send, 200, ["POST", `${job.createTarget}/${tx_id}/confirm`, body]);
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
