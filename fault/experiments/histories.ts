import { setTimeout as sleep } from "node:timers/promises";
import { NOTHING } from "#fault/checker.ts";
import type { Experiment, Scene } from "#fault/experiment.ts";
import { type Action, isLinearizable, type Operation, type Said, type State } from "#fault/linearizable.ts";
import { rule } from "#fault/outcome.ts";
import type { Random } from "#fault/random.ts";
import { confirm, create, createBody, inStreams, MAXIMUM_MINOR, noted, SETTLEMENTS } from "#fault/traffic.ts";
import { drained, factsOf } from "#fault/truth.ts";
import { inWorld, type World } from "#fault/world.ts";
import type { Answer } from "#sandbox/client/exchange.ts";
import { operatorClient, partnerClient } from "#sandbox/client/partner.ts";

/** Settlements that are fought over at the same time, each by eight clients. */
const AT_ONCE = 2;
const CLIENTS = 8;
const WITHIN_MS = 40;
const DRAIN_LIMIT_MS = 240_000;
const ACTIONS: readonly Action["type"][] = ["confirm", "confirm", "confirm", "cancel", "approve", "reject", "read"];

type History = { id: string; initial: State; operations: Operation[] };

export const histories: Experiment = {
  name: "histories",
  breaks:
    "Sixteen clients confirm, cancel, approve, reject and read the same settlements at once, through two web processes, while they are paid",
  judged: "the answers about each settlement are linearizable against the lifecycle; of two settlements with one reference, one wins",
  async run(scene) {
    const settlements = scene.pick(5_000, 120);
    return await inWorld(scene, { webs: 2, workers: 1 }, async (world) => {
      const found: History[] = [];
      await inStreams(settlements, AT_ONCE, async (index) => {
        found.push(await fought(world, scene.random.fork(String(index)), index));
      });
      const twins = await twinsOf(world, scene);
      const drainedAfterMs = await drained(world.database, DRAIN_LIMIT_MS);
      const own = [
        rule("linearizable", "each history is linearizable", found, ({ id, initial, operations }) =>
          isLinearizable(operations, initial) ? [] : [`${id}: ${JSON.stringify(operations)}`],
        ),
        rule("one_reference", "a reference confirms one settlement", twins, (won) =>
          won === 1 ? [] : [`${won} of two were confirmed under it`],
        ),
      ];
      const done = found.reduce((sum, { operations }) => sum + operations.length, 0);
      const facts = await factsOf(world, NOTHING, { drainedAfterMs, own });
      return { counts: `${settlements} settlements, ${done} operations, ${twins.length} pairs under one reference`, facts };
    });
  },
};

/** One settlement, a third of them above the maximum, and everybody at it. No matter who won, it ends. */
async function fought(world: World, random: Random, index: number): Promise<History> {
  const isPending = random.chance(1 / 3);
  const id = await create(world, createBody(world, random, isPending ? { source_amount: MAXIMUM_MINOR + 1 } : {}));
  const operations: Operation[] = [];
  const client = async (number: number) => {
    const type = number === 0 ? "read" : random.pick(ACTIONS);
    const action: Action = type === "confirm" ? { type, reference: `order-${index}-${random.below(2)}` } : { type };
    const [web, wait] = [random.pick(world.webs), random.below(WITHIN_MS)];
    await sleep(wait);
    const from = performance.now();
    const answer = await noted(world, type, () => send(world, web, { id, action }));
    operations.push({ action, said: saidBy(answer), from, to: performance.now() });
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const initial: State = { status: "quoted", approval: isPending ? "pending" : null, reference: null };
  const winner = operations.map(({ said }) => (said !== null && "reference" in said ? said.reference : null)).find((one) => one !== null);
  // Announced again, so that the checker knows what is owed.
  if (winner !== undefined && winner !== null) await confirm(world, id, { reference: winner });
  return { id, initial, operations };
}

function send(world: World, web: string, { id, action }: { id: string; action: Action }): Promise<Answer> {
  const partner = partnerClient(web, world.stage.credentials);
  const operator = operatorClient(web, world.stage.operator);
  switch (action.type) {
    case "read":
      return partner.get(`${SETTLEMENTS}/${id}`);
    case "confirm":
      return partner.post(`${SETTLEMENTS}/${id}/confirm`, { external_tx_id: action.reference, callback_url: world.receiver.url });
    case "cancel":
      return partner.post(`${SETTLEMENTS}/${id}/cancel`);
    case "approve":
      return operator.call("POST", `/admins/settlements/${id}/approve`, {});
    case "reject":
      return operator.call("POST", `/admins/settlements/${id}/reject`, { reason: "not in the mood" });
  }
}

function saidBy(answer: Answer | null): Said {
  if (answer === null || answer.status === 503) return null;
  const body = JSON.parse(answer.text);
  if (answer.status !== 200) return { refused: String(body.code) };
  return { status: body.status, approval: body.approval_state, reference: body.external_tx_id };
}

/** Two settlements confirmed at once with one reference; returns how many succeeded, for each pair. */
async function twinsOf(world: World, scene: Scene): Promise<number[]> {
  const random = scene.random.fork("twins");
  const won: number[] = [];
  for (let pair = 0; pair < scene.pick(100, 10); pair += 1) {
    const ids = [await create(world, createBody(world, random)), await create(world, createBody(world, random))];
    const action: Action = { type: "confirm", reference: `twin-${pair}` };
    const answers = await Promise.all(
      ids.map((id, index) => noted(world, "confirm", () => send(world, world.webs[index] ?? "", { id, action }))),
    );
    const confirmed = ids.filter((_, index) => answers[index]?.status === 200);
    for (const id of confirmed) await confirm(world, id, { reference: action.reference });
    won.push(confirmed.length);
  }
  return won;
}
