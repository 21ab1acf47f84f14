import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import { type Bad, badRequest, oddBytes, type Place } from "#fault/bad-requests.ts";
import { badSignIn } from "#fault/bad-sign-ins.ts";
import { judgeCanaries } from "#fault/canaries.ts";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { floodIdentities } from "#fault/identity-flood.ts";
import { innerUrls } from "#fault/inner-addresses.ts";
import { askable, keptPerRequest, type Look, lookAt } from "#fault/memory.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import { placesOf } from "#fault/places.ts";
import type { Random } from "#fault/random.ts";
import { createBody, createPayment, inStreams, noted, SETTLEMENTS } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, signedIn, type World } from "#fault/world.ts";
import { type Answer, exchange, type Header } from "#sandbox/client/exchange.ts";
import { partnerClient } from "#sandbox/client/partner.ts";
import { sendBytes } from "#sandbox/client/raw.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";

const LOOPS = 6;
/** How often everything is requested before the memory is measured, so that loading and compiling do not count as growth. */
const WARM_ROUNDS = 2;
/** Memory is measured before the first of these and after each. */
const WAVES = 8;
const SILENCE_MS = 1_500;
const DRAIN_LIMIT_MS = 120_000;
/** Of a request that is answered 503. */
const ATTEMPTS = 4;

export const badRequests: Experiment = {
  name: "bad-requests",
  breaks:
    "Generated requests that nobody should send, to every operation, console procedure and page, signed in and not; sign-ins; what identity providers and directories send; bytes that are not HTTP; callback URLs that point to internal addresses",
  judged: "no 5xx; good requests among them succeed; every internal address is refused and none is called",
  async run(scene) {
    const counts = {
      generated: scene.pick(10_000, 1_200),
      raw: scene.pick(2_000, 120),
      signIns: scene.pick(20_000, 400),
      identities: scene.pick(20_000, 400),
    };
    const folder = mkdtempSync(join(tmpdir(), "held-"));
    return await inWorld(
      scene,
      { webs: 1, workers: 1, wallets: 1, env: { ...askable(folder), TRUSTED_PROXIES: "127.0.0.1" } },
      async (world) => {
        const canary = await openReceiver();
        const state = { over: false };
        const good = goodOnes(world, scene, state);
        try {
          const memory = await flood(world, scene, { ...counts, folder });
          await signIns(world, scene, counts.signIns);
          const identities = await floodIdentities(world, scene, counts.identities);
          const inner = await insideOut(world, scene, Number(new URL(canary.url).port));
          const canaries = await judgeCanaries();
          state.over = true;
          const own = [
            rule("good_requests_succeed", "good requests succeed as always, or on a retry after 503", await good, (trouble) =>
              trouble === null ? [] : [trouble],
            ),
            ...identities,
            ...inner,
            ...(canaries ?? []),
          ];
          if (canary.deliveries.length > 0) throw new Error("an inner address was called");
          const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
          const facts = await factsOf(world, NOTHING, { drainedAfterMs, memory, own });
          const statuses = Map.groupBy(world.history.answers, ({ status }) => status ?? 0);
          scene.say(
            [...statuses]
              .sort(([one], [other]) => one - other)
              .map(([status, { length }]) => `${length} × ${status}`)
              .join(", "),
          );
          const heard = canaries === null ? "no network of its own here, and so no canaries" : "canaries at each";
          return {
            counts: `${counts.generated} generated and ${counts.raw} raw requests, ${counts.signIns} sign-ins, ${counts.identities} for identity providers and directories, ${inner[0]?.checked} inner addresses, ${heard}`,
            facts,
          };
        } finally {
          state.over = true;
          await good.catch(() => {});
          await canary.close();
          rmSync(folder, { recursive: true, force: true });
        }
      },
    );
  },
};

type Flood = { generated: number; raw: number; folder: string };

/** Sends all of it, and measures the web process's memory on the way. */
async function flood(world: World, scene: Scene, { generated, raw, folder }: Flood) {
  const places = await placesOf(world.webs[0] ?? "");
  const distinct = [...new Map(places.map((place) => [`${place.method} ${place.target}`, place])).values()];
  const cookie = await signedIn(world);
  const [pid = 0] = pidsOf("web");
  let sent = 0;
  const send = async (count: number, placeFor: (random: Random, index: number) => Place) => {
    const before = sent;
    await inStreams(count, LOOPS, async (index) => {
      const random = scene.random.fork(`request-${before + index}`);
      await sendBad(world, badRequest(random, placeFor(random, index)), random.pick([cookie, null]));
    });
    sent += count;
  };
  await send(WARM_ROUNDS * distinct.length, (_, index) => distinct[index % distinct.length] as Place);
  const looks: Look[] = [await lookAt(folder, pid, sent)];
  const each = Math.ceil((generated - sent) / WAVES);
  for (let wave = 0; wave < WAVES; wave += 1) {
    await send(each, (random) => random.pick(places));
    looks.push(await lookAt(folder, pid, sent));
  }
  await inStreams(raw, LOOPS, async (index) => {
    const random = scene.random.fork(`raw-${index}`);
    await sendOdd(world, oddBytes(random, random.pick(places).target.replace(/[{}]/g, "")));
  });
  await sleep(2_000);
  looks.push(await lookAt(folder, pid, sent + raw));
  const mb = (of: (look: Look) => number) => looks.map((look) => (of(look) / 1_048_576).toFixed(1)).join(", ");
  scene.say(
    `of ${distinct.length} places; the web process held ${mb((look) => look.heldBytes)} MB, ${mb((look) => look.residentBytes)} resident`,
  );
  scene.say(`it keeps ${Math.round(keptPerRequest(looks))} bytes of each request`);
  return [{ process: "web", looks }];
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

/** Sign-ins of every kind, most with a form's own token. */
async function signIns(world: World, scene: Scene, count: number): Promise<void> {
  const origin = world.webs[0] ?? "";
  const { text, headers } = await exchange(origin, { method: "GET", target: "/api/auth/csrf", headers: [] });
  const cookie = (headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0]).join("; ");
  const csrf = String(JSON.parse(text).csrfToken);
  const own = await signedIn(world);
  await inStreams(count, LOOPS, async (index) => {
    const random = scene.random.fork(`sign-in-${index}`);
    const bad = badSignIn(random, { csrf, cookie: random.chance(0.3) ? own : cookie, origin });
    await noted(world, `${bad.method} ${bad.target} ${bad.body?.toString("latin1").slice(0, 200)}`, () => exchange(origin, bad));
  });
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
  await inStreams(urls.length, LOOPS, async (index) => {
    const url = urls[index] ?? "";
    const body = createBody(world, scene.random.fork(url), { callback_url: url });
    const answer = await noted(world, `create with ${url}`, () => partner.post(SETTLEMENTS, body));
    taken.push({ url, status: answer?.status });
  });
  return [
    rule("internal_addresses_refused", "a callback URL that points to an internal address is refused", taken, ({ url, status }) =>
      status === 422 ? [] : [`${url}: ${status}`],
    ),
  ];
}

/** On a busy machine, a client that gets 503 retries as our SDKs do: after the time that the answer names, four attempts in all. */
async function askedAgain(ask: () => Promise<Answer | null>): Promise<Answer | null> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    const pauseSeconds = Number(answer?.headers["retry-after"]);
    if (answer?.status !== 503 || Number.isNaN(pauseSeconds) || attempt === ATTEMPTS) return answer;
    await sleep(pauseSeconds * 1_000);
  }
}

/** What an honest partner does all the while. */
async function goodOnes(world: World, scene: Scene, state: { over: boolean }): Promise<(string | null)[]> {
  const partner = partnerClient(world.webs[0] ?? "", world.stage.credentials);
  const orders = scene.random.fork("orders");
  const found: (string | null)[] = [];
  for (let turn = 0; !state.over; turn += 1) {
    const answer = await askedAgain(() => noted(world, "pairs", () => partner.get("/api/v1/pairs")));
    found.push(answer?.status === 200 ? null : `${answer?.status ?? "no answer"} ${answer?.text.slice(0, 200) ?? ""}`);
    if (turn % 20 === 0) await createPayment(world, { random: orders.fork(String(turn)), reference: `order-${turn}` });
    await sleep(100);
  }
  return found;
}
