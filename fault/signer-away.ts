import { setTimeout as sleep } from "node:timers/promises";
import { pidsOf } from "#bench/processes.ts";
import type { Scene } from "./experiment.ts";
import { must, type Outcome } from "./outcome.ts";
import { createPayment, inStreams, timePayment } from "./traffic.ts";
import { signalled, timeUntil, type World } from "./world.ts";

const PAYMENTS = 40;
const STREAMS = 8;
const AWAY_MS = 15_000;
const LIMIT_MS = 60_000;

export type Away = { own: Outcome[]; counts: string; recovery: { after: string; ms: number } };

/**
 * Payments are in flight, and the signer is killed; each signer that follows is killed before it is ready, for a while. Meanwhile the workers go
 * on following the chain: all that was sent ends. What is confirmed meanwhile waits, and goes on after the restart.
 *
 * @param usualMs how long a payment takes otherwise
 */
export async function withoutSigner(world: World, scene: Scene, usualMs: number): Promise<Away> {
  const { sql } = world.database;
  const orders = scene.random.fork("signer-away");
  const confirm = (name: string) =>
    inStreams(PAYMENTS, STREAMS, (index) =>
      createPayment(world, { random: orders.fork(`${name}-${index}`), reference: `${name}-${index}` }),
    );
  const attempts = async () =>
    (
      await sql<
        { count: number }[]
      >`select ((select count(*) from transaction_attempts) + (select count(*) from lapsing_attempts))::int as count`
    )[0]?.count ?? 0;
  const inFlight = async () =>
    (
      await sql<{ id: string }[]>`select id from transfers where state in ('signed', 'broadcast', 'mined') and exists (
        select from transactions t join transaction_attempts a on a.transaction_id = t.id
        where t.transfer_id = transfers.id and a.broadcast_at is not null
        union all select from lapsing_attempts a where a.transfer_id = transfers.id and a.sent_at is not null)`
    ).map(({ id }) => id);
  const ended = async (ids: readonly string[]) =>
    (await sql`select 1 from transfers where id in ${sql(ids)} and state = 'executed'`).length;

  const before = confirm("before");
  // One packed transaction makes several of them.
  const enough = scene.packing ? 1 : STREAMS;
  await timeUntil(async () => (await inFlight()).length >= enough, LIMIT_MS, 10);
  const first = await inFlight();
  let isAway = true;
  let kills = 0;
  const killing = (async () => {
    for (; isAway; await sleep(100)) for (const pid of pidsOf("signer")) if (signalled(pid, "SIGKILL")) kills += 1;
  })();
  await before;
  await sleep(1_000); // what the signer had answered is stored by now
  const sent = [...new Set([...first, ...(await inFlight())])];
  const signed = await attempts();
  const began = performance.now();
  await confirm("meanwhile");
  const followed = sent.length === 0 ? 0 : await timeUntil(async () => (await ended(sent)) === sent.length, AWAY_MS);
  await sleep(Math.max(0, AWAY_MS - (performance.now() - began)));
  const [endedNow, signedNow] = [sent.length === 0 ? 0 : await ended(sent), await attempts()];
  isAway = false;
  await killing;
  const ms = Math.max(0, (await timePayment(world, { random: orders.fork("after"), reference: "after-signer" }, LIMIT_MS)) - usualMs);
  return {
    own: [
      must(
        "chain_followed_without_signer",
        "what was sent ends while the signer is away",
        sent.length > 0 && followed !== null,
        `${endedNow} of ${sent.length}`,
      ),
      must("nothing_signed_without_signer", "nothing is signed meanwhile", signedNow === signed, `${signedNow - signed} attempts`),
    ],
    counts: `${AWAY_MS / 1_000} s without a signer (killed ${kills} times): ${endedNow} payments in flight ended`,
    recovery: { after: "the signer was away", ms },
  };
}
