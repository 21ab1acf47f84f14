import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import type { Random } from "#fault/random.ts";
import { confirm, create, createBody, noted, SETTLEMENTS } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import { type Answer, exchange, type Outgoing } from "#sandbox/client/exchange.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";

const AT_ONCE = 100;
/** With packed payments so many settlements are confirmed at once, by fewer copies each: a payment on its own is never packed. */
const TOGETHER = 10;
const DRAIN_LIMIT_MS = 120_000;

type Kind = "read" | "create" | "confirm" | "confirm signed again";
const KINDS: readonly Kind[] = ["read", "create", "confirm", "confirm signed again"];
/** The result of one request's copies: how many were accepted, how many refused as repeats, how many got 503. */
type Round = { kind: Kind; copies: number; won: number; repeats: number; later: number; other: readonly string[] };

export const sameRequest: Experiment = {
  name: "same-request",
  breaks: "One signed request arrives 100 times at once at two web processes",
  judged: "exactly one is accepted and the others get nonce_reused; the same confirmation, signed again a hundred times, pays once",
  async run(scene) {
    const rounds = scene.pick(100, 12);
    return await inWorld(scene, { webs: 2, workers: 1, wallets: 1 }, async (world) => {
      const found: Round[] = [];
      for (let number = 0; number < rounds; number += 1)
        found.push(...(await round(world, scene, { kind: KINDS[number % KINDS.length] ?? "read", number })));
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const own = [oneWins(found), await oneRow(world, found)];
      const facts = await factsOf(world, NOTHING, { drainedAfterMs, own });
      return { counts: `${rounds} rounds of ${AT_ONCE}, ${found.reduce((sum, { later }) => sum + later, 0)} asked to come later`, facts };
    });
  },
};

/** If all refusals were 503, nobody has won yet: that loses nothing. */
function oneWins(found: readonly Round[]): Outcome {
  return rule(
    "one_copy_accepted",
    "of many copies of a request at once, exactly one is accepted",
    found,
    ({ kind, copies, won, repeats, later, other }) => {
      const isRight =
        kind === "confirm signed again"
          ? won + later === copies
          : won + repeats + later === copies && (won === 1 || (won === 0 && later > 0));
      return isRight && other.length === 0
        ? []
        : [`${kind}: ${won} let in, ${repeats} repeats, ${later} later ${other.slice(0, 3).join("; ")}`];
    },
  );
}

/** As many settlements as accepted creates: none from a copy, and at most one from each whose answers were all 503. */
async function oneRow({ database }: World, found: readonly Round[]): Promise<Outcome> {
  const [row] = await database.sql<{ count: number }[]>`select count(*)::int as count from settlements`;
  const made = row?.count ?? 0;
  // Every other kind of round begins with its own settlement.
  const least = found.filter(({ kind, won }) => kind !== "create" || won > 0).length;
  const most = least + found.filter(({ kind, won }) => kind === "create" && won === 0).length;
  return rule("one_row", "many copies of a create at once make at most one settlement", [made], (count) =>
    count >= least && count <= most ? [] : [`${count} settlements, where ${least} to ${most} were let in`],
  );
}

type Plan = { kind: Kind; number: number };

async function round(world: World, scene: Scene, { kind, number }: Plan): Promise<Round[]> {
  const random = scene.random.fork(String(number));
  const together = scene.packing && kind.startsWith("confirm") ? TOGETHER : 1;
  const requests: Asked[] = [];
  for (let index = 0; index < together; index += 1)
    requests.push(await requestOf(world, kind, { random, reference: `order-${number}-${index}` }));
  const copies = AT_ONCE / together;
  const found = await Promise.all(
    requests.map(async ({ request }) => ({ kind, copies, ...(await inCopies(world, kind, { request, copies })) })),
  );
  // Whatever the result of the race, the partner's next try gets the same answer: it is confirmed.
  if (kind.startsWith("confirm")) for (const { id, reference } of requests) await confirm(world, id, { reference });
  return found;
}

type Request = Omit<Outgoing, "headers">;
type Asked = { request: Request; id: string; reference: string };

async function requestOf(world: World, kind: Kind, { random, reference }: { random: Random; reference: string }): Promise<Asked> {
  const body = createBody(world, random);
  if (kind === "create") return { request: { method: "POST", target: SETTLEMENTS, body: JSON.stringify(body) }, id: "", reference };
  const id = await create(world, body);
  if (kind === "read") return { request: { method: "GET", target: `${SETTLEMENTS}/${id}` }, id, reference };
  const terms = JSON.stringify({ external_tx_id: reference, callback_url: world.receiver.url });
  return { request: { method: "POST", target: `${SETTLEMENTS}/${id}/confirm`, body: terms }, id, reference };
}

async function inCopies(world: World, kind: Kind, { request, copies }: { request: Request; copies: number }) {
  const signed = () => ({ ...request, headers: signedHeaders(world.stage.credentials, { ...request, body: request.body }) });
  const once = signed();
  const send = (index: number) =>
    noted(world, kind, () => exchange(world.webs[index % world.webs.length] ?? "", kind === "confirm signed again" ? signed() : once));
  return sorted(await Promise.all(Array.from({ length: copies }, (_, index) => send(index))));
}

function sorted(answers: readonly (Answer | null)[]): Omit<Round, "kind" | "copies"> {
  const isRepeat = (answer: Answer) => answer.status === 401 && answer.text.includes('"nonce_reused"');
  const heard = answers.filter((answer) => answer !== null);
  const others = heard.filter((answer) => answer.status >= 300 && answer.status !== 503 && !isRepeat(answer));
  return {
    won: heard.filter(({ status }) => status < 300).length,
    repeats: heard.filter(isRepeat).length,
    later: heard.filter(({ status }) => status === 503).length,
    other: others.map(({ status, text }) => `${status} ${text.slice(0, 120)}`),
  };
}
