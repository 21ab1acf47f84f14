import type { CallbackWorld } from "./callbacks-world.ts";
import { type CallbackAttemptRow, tables } from "./tables/rows.ts";

/** The promise, written down a second time (contract, part 4): six attempts, so many seconds from the end of one to the begin of the next. */
const PROMISED_S = [60, 300, 1_800, 7_200, 43_200];
/** A start is late by no more than this where nothing has died or been paused. */
const LATE_MS = 2_000;

/**
 * The model: every event is heard, or was tried exactly six times; never early, on time where nothing died, the same bytes under the same id;
 * and one that was acknowledged comes again at most once for each interruption.
 */
export function judgeCallbacks(world: CallbackWorld): void {
  const { posts, bodies, interruptions, violations } = world;
  const { callbacks, callbackAttempts } = tables();
  const say = (line: string) => void violations.push(line);
  for (const { id, body } of posts) if (bodies.get(id) !== body) say(`${id} was delivered as ${body}`);
  for (const [id, body] of bodies) {
    const row = callbacks.rows.get(id);
    const heard = posts.filter((post) => post.id === id);
    const attempts = [...callbackAttempts.rows.values()]
      .filter(({ callbackId }) => callbackId === id)
      .sort((one, other) => one.number - other.number);
    if (row?.body !== body) say(`${id} is lost`);
    else if (
      row.state === "delivered"
        ? !heard.some(({ acknowledged }) => acknowledged)
        : attempts.length !== PROMISED_S.length + 1 || attempts.some(({ endedAt }) => endedAt === null)
    )
      say(`${id} is ${row.state} after ${attempts.length} attempts, heard ${heard.length} times`);
    const repeats = heard.filter(({ acknowledged }) => acknowledged).length - 1;
    if (repeats > interruptions) say(`${id} was acknowledged ${repeats + 1} times at ${interruptions} interruptions`);
    judgeTimes(id, attempts, interruptions === 0, say);
  }
}

function judgeTimes(id: string, attempts: readonly CallbackAttemptRow[], isQuiet: boolean, say: (line: string) => void): void {
  for (const [index, attempt] of attempts.entries()) {
    if (attempt.number !== index + 1) say(`${id} has attempt ${attempt.number} in the place of ${index + 1}`);
    const before = attempts[index - 1];
    if (before === undefined) continue;
    const due = (before.endedAt ?? 0) + (PROMISED_S[index - 1] ?? 0) * 1_000;
    if (attempt.sentAt < due) say(`${id}: attempt ${attempt.number} began ${due - attempt.sentAt} ms early`);
    if (isQuiet && attempt.sentAt > due + LATE_MS) say(`${id}: attempt ${attempt.number} began ${attempt.sentAt - due} ms late`);
  }
}
