import { setTimeout as sleep } from "node:timers/promises";
import type { QueryBoundary } from "#fault/checker.ts";
import { must, type Outcome } from "#fault/outcome.ts";
import type { Random } from "#fault/random.ts";
import { createPayment } from "#fault/traffic.ts";
import type { World } from "#fault/world.ts";
import { type Filing, HandedOn } from "./bucket-files.ts";
import type { Partner } from "./partners.ts";

const TICK_MS = 20;
/** More at the same time is held back: clients wait as well. */
const MOST_OPEN = 400;
const KEPT = 100;

/** What clients saw since the last time somebody asked. */
export type Seen = { confirmed: number; heldBack: number; answeredLater: number; createMs: number[]; confirmMs: number[] };

const nothingSeen = (): Seen => ({ confirmed: 0, heldBack: 0, answeredLater: 0, createMs: [], confirmMs: [] });

/** A steady load over all partners' keys: it sends at its rate, whether or not earlier requests were answered. */
export function openLoad(world: World, filing: Filing, { rate, partners, random }: { rate: number; partners: Partner[]; random: Random }) {
  let [seen, answered, confirmed, open, over] = [nothingSeen(), 0, 0, 0, false];
  const [faulty, gaveUp]: [QueryBoundary[], string[]] = [[], []];
  const note = (answer: QueryBoundary) => {
    answered += 1;
    const { what, status, hasRetryAfter, tookMs } = answer;
    if (status === 503) seen.answeredLater += 1;
    const isFaulty = status !== null && status >= 500 && !(status === 503 && hasRetryAfter);
    if (isFaulty && faulty.length < KEPT) faulty.push(answer);
    if (tookMs !== undefined && status !== null && status < 300) (what === "create" ? seen.createMs : seen.confirmMs).push(tookMs);
  };
  world.history = {
    answers: new HandedOn<QueryBoundary>(note),
    owed: new HandedOn((owed) => {
      filing.add("owed", owed.wallet, owed);
      seen.confirmed += 1;
      confirmed += 1;
    }),
  };
  const pay = async (number: number) => {
    const { credentials, callbackUrl } = random.pick(partners);
    const of = { ...world, stage: { ...world.stage, credentials } };
    open += 1;
    await createPayment(of, { random: random.fork(String(number)), reference: `order-${number}`, callbackUrl }).catch((error) => {
      if (gaveUp.length < KEPT) gaveUp.push(String(error));
    });
    open -= 1;
  };
  const sending = (async () => {
    const began = performance.now();
    for (let number = 0; !over; await sleep(TICK_MS))
      for (const due = ((performance.now() - began) / 1_000) * rate; number < due; number += 1)
        if (open < MOST_OPEN) void pay(number);
        else seen.heldBack += 1;
  })();
  return {
    /** What was seen since the last look. */
    look(): Seen {
      const before = seen;
      seen = nothingSeen();
      return before;
    },
    confirmed: () => confirmed,
    /** Settles once everything that was sent has been answered. */
    async stop(): Promise<void> {
      over = true;
      await sending;
      while (open > 0) await sleep(TICK_MS);
    },
    /** Only faulty answers are kept. */
    judged: (): { answers: QueryBoundary[]; own: Outcome[] } => ({
      answers: faulty,
      own: [
        must("clients_served", "every client gets its settlement confirmed in the end", gaveUp.length === 0, gaveUp.join("\n")),
        { rule: "requests", title: "requests whose answers were looked at", checked: answered, violations: [] },
      ],
    }),
  };
}
