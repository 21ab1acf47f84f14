import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, giveSecrets, startDelivery } from "#testing/callbacks.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";
import { watchStatements } from "./unrouted.ts";

/** What Citus itself says of each statement: whether it went to the node of one partner, or to more. */

let on: CitusStage;
beforeAll(async () => {
  on = await openCitusStage({ partners: 2 });
});
afterAll(() => on.close());

/** Why a statement of the work on settlements goes to more than one node, by how it begins. */
const TO_ALL: Readonly<Record<string, string>> = {
  "select partner_id as id from callbacks": "who has callbacks due: it locks nothing, and the claims go partner by partner",
  "select partner_id as id from citus_outbox":
    "of whom something waits to be brought: it locks nothing, and what it finds is brought partner by partner",
  "insert into callbacks": "the payments of one block end together, and may be of several partners: each one's rows go to its node",
};

it("sends each statement of a settlement's life to its partner's node, but for those that have a reason", async () => {
  const { stage, database, receiver } = on;
  for (const partner of stage.partners) await giveSecrets(database.db, partner);
  const statements = watchStatements(database);
  await statements.begin();
  const delivery = startDelivery({ db: database.db, sql: database.sql });
  for (const partner of stage.partners) await on.owe(partner);
  const work = stage.newWorker();
  await eventually(async () => {
    await work();
    await stage.passTime();
    return receiver.requests.length >= stage.partners.length ? true : null;
  });
  await delivery.stop();
  const reasons = Object.keys(TO_ALL);
  expect((await statements.unrouted()).map((text) => reasons.find((beginning) => text.startsWith(beginning)) ?? text)).toEqual(
    reasons.toSorted(),
  );
});
