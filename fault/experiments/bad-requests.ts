import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "#bench/processes.ts";
import { type Bad, badRequest, oddBytes, type Place } from "#fault/bad-requests.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { innerUrls } from "#fault/inner-addresses.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import { placesOf } from "#fault/places.ts";
import { createBody, inLanes, noted, owe, SETTLEMENTS } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, signedIn, type World } from "#fault/world.ts";
import { exchange, type Header } from "#sandbox/client/exchange.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { sendBytes } from "#sandbox/client/raw.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";

const LANES = 6;
/** Memory is looked at after each wave; what it grows to in the first ones is its size. */
const WAVES = 10;
const WARM_WAVES = 4;
const SILENCE_MS = 1_500;
const DRAIN_LIMIT_MS = 120_000;

export const badRequests: Experiment = {
  name: "bad-requests",
  breaks:
    "Generated requests that nobody should send, on every operation, every procedure of the console and every page, signed in and not, and bytes that are no HTTP; callback URLs that lead inside",
  judged: "never a 5xx, good requests beside them are all answered well, every inner address is refused and none is called",
  async run(scene) {
    const counts = { generated: scene.pick(10_000, 1_200), raw: scene.pick(2_000, 120) };
    return await inWorld(scene, { webs: 1, workers: 1, wallets: 1 }, async (world) => {
      const receiver = await openReceiver();
      const canary = await openReceiver();
      const state = { over: false };
      const good = goodOnes(world, scene, { state, callbackUrl: receiver.url });
      try {
        const memory = await flood(world, scene, counts);
        const inner = await insideOut(world, scene, Number(new URL(canary.url).port));
        state.over = true;
        const own = [
          rule("good_ones", "good requests are answered as ever", await good, (trouble) => (trouble === null ? [] : [trouble])),
          ...inner,
        ];
        if (canary.deliveries.length > 0) throw new Error("an inner address was called");
        const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
        const facts = await factsOf(world, NOTHING, { deliveries: receiver.deliveries, drainedAfterMs, memory, own });
        const statuses = Map.groupBy(world.history.answers, ({ status }) => status ?? 0);
        scene.say(
          [...statuses]
            .sort(([one], [other]) => one - other)
            .map(([status, { length }]) => `${length} × ${status}`)
            .join(", "),
        );
        return { counts: `${counts.generated} generated and ${counts.raw} raw requests, ${inner[0]?.checked} inner addresses`, facts };
      } finally {
        state.over = true;
        await good.catch(() => {});
        await receiver.close();
        await canary.close();
      }
    });
  },
};

const megabytes = () => memoryOf("web").reduce((sum, { now }) => sum + now, 0);

/** All of it; what the web process holds is measured on the way. */
async function flood(world: World, scene: Scene, { generated, raw }: { generated: number; raw: number }) {
  const places = await placesOf(world.webs[0] ?? "");
  const cookie = await signedIn(world);
  const seen: number[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) {
    const each = Math.ceil(generated / WAVES);
    await inLanes(each, LANES, async (index) => {
      const random = scene.random.fork(`request-${wave * each + index}`);
      await sendBad(world, badRequest(random, random.pick(places)), random.pick([cookie, null]));
    });
    seen.push(megabytes());
  }
  await inLanes(raw, LANES, async (index) => {
    const random = scene.random.fork(`raw-${index}`);
    await sendOdd(world, oddBytes(random, random.pick(places).target.replace(/[{}]/g, "")));
  });
  await sleep(2_000);
  seen.push(megabytes());
  scene.say(`the web process held ${seen.map(Math.round).join(", ")} MB`);
  return [{ process: "web", before: Math.max(...seen.slice(0, WARM_WAVES)), after: seen.at(-1) ?? 0 }];
}

async function sendBad(world: World, { surface, method, target, headers, body }: Bad, cookie: string | null): Promise<void> {
  const { credentials, operator } = world.stage;
  const own: Record<Place["surface"], () => readonly Header[]> = {
    settlement: () => signedHeaders(credentials, { method, target, body }),
    partner: () => [["apiKey", operator.api_key]],
    console: () => (cookie === null ? [] : [["Cookie", cookie]]),
    pages: () => (cookie === null ? [] : [["Cookie", cookie]]),
  };
  const origin: Header[] = surface === "console" ? [["Origin", world.webs[0] ?? ""]] : [];
  // Somebody with the right key may be no wiser than anybody.
  const all = [...own[surface](), ...origin, ...headers];
  const what = `${method} ${target.slice(0, 300)} ${body === undefined ? "" : body.toString("latin1").slice(0, 200)}`;
  await noted(world, what, () => exchange(world.webs[0] ?? "", { method, target, headers: all, body }));
}

/** Who sends no HTTP may be answered with a closed connection. */
async function sendOdd(world: World, bytes: Buffer): Promise<void> {
  const answer = await sendBytes(world.webs[0] ?? "", bytes, { silenceMs: SILENCE_MS }).catch(() => null);
  if (answer !== null) await noted(world, bytes.toString("latin1").slice(0, 200), async () => answer);
}

/** Callback URLs that lead inside, at the creation: all are refused. */
async function insideOut(world: World, scene: Scene, port: number): Promise<Outcome[]> {
  const partner = partnerClient(world.webs[0] ?? "", world.stage.credentials);
  const taken: { url: string; status: number | undefined }[] = [];
  const urls = innerUrls(port);
  await inLanes(urls.length, LANES, async (index) => {
    const url = urls[index] ?? "";
    const body = createBody(world, scene.random.fork(url), { callback_url: url });
    const answer = await noted(world, `create with ${url}`, () => partner.post(SETTLEMENTS, body));
    taken.push({ url, status: answer?.status });
  });
  return [
    rule("inner_addresses", "a callback URL that leads inside is refused", taken, ({ url, status }) =>
      status === 422 ? [] : [`${url}: ${status}`],
    ),
  ];
}

type Beside = { state: { over: boolean }; callbackUrl: string };

/** What an honest partner does all the while. */
async function goodOnes(world: World, scene: Scene, { state, callbackUrl }: Beside): Promise<(string | null)[]> {
  const partner = partnerClient(world.webs[0] ?? "", world.stage.credentials);
  const orders = scene.random.fork("orders");
  const found: (string | null)[] = [];
  for (let turn = 0; !state.over; turn += 1) {
    const answer = await noted(world, "pairs", () => partner.get("/api/v1/pairs"));
    found.push(answer?.status === 200 ? null : `${answer?.status ?? "no answer"}`);
    if (turn % 20 === 0) await owe(world, { random: orders.fork(String(turn)), callbackUrl, reference: `order-${turn}` });
    await sleep(100);
  }
  return found;
}
