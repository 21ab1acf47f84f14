import { type Browser, expect } from "@playwright/test";
import { change, resultOf } from "./calls.ts";
import { advancePast } from "./clock.ts";
import { browserOf } from "./console.ts";
import { receiverThat, type StoryReceiver } from "./receiver.ts";
import { approvedTowards, onlyCallback, tried, until } from "./settlements.ts";

/** Lets all six attempts of these settlements' callbacks fail. */
export async function exhaust(txIds: readonly string[]): Promise<string[]> {
  for (let times = 1; times <= 6; times += 1) {
    const all = await Promise.all(txIds.map((txId) => tried(txId, times)));
    const last = all
      .flatMap(({ next_attempt_at }) => next_attempt_at ?? [])
      .sort()
      .at(-1);
    if (last !== undefined) await advancePast(last);
  }
  const over = await Promise.all(
    txIds.map((txId) =>
      until(
        () => onlyCallback(txId),
        ({ state }) => state === "undelivered",
      ),
    ),
  );
  return over.map(({ id }) => id);
}

/** The id of a resend of three callbacks: one is delivered, one fails again, and one hangs. The caller closes the receivers. */
export async function resent(browser: Browser, receivers: StoryReceiver[]): Promise<string> {
  const [taken, refused, hangs] = [await unwilling(), await unwilling(), await unwilling()];
  receivers.push(taken, refused, hangs);
  const callbackIds = await exhaust(await Promise.all([taken, refused, hangs].map(({ url }) => approvedTowards(url))));
  taken.answer = (response) => response.end();
  hangs.answer = () => {};
  const owner = await browserOf(browser, "owner");
  const { status, data } = await change(owner, "callbacks.resendMany", { callback_ids: callbackIds });
  expect(status).toBe(200);
  const { id } = data as { id: string };
  await until(
    () => resultOf<{ counts: { delivered: number; retrying: number } }>(owner, "callbacks.job", { id }),
    ({ counts }) => counts.delivered === 1 && counts.retrying >= 1,
  );
  await owner.context().close();
  return id;
}

const unwilling = () => receiverThat((response) => response.writeHead(503).end());
