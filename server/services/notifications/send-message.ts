import { oweFollowUps } from "#db/queries/notifications/follow-ups.ts";
import { type ClaimedMessage, type MessageEnd, readMessage, settleMessage } from "#db/queries/notifications/messages.ts";
import { isFixed, letterOf, mayNotify, ruleOf, slackOf, tryAgainAt } from "#domain/notification.ts";
import { webhookOf } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";

export type Operator = { baseUrl: string; brand: string };
type Powers = Uses<"db" | "clock" | "mailer" | "callbacks" | "vault">;

/** The mail leads to Account. A link that acts without a sign-in would be one more secret in a mailbox. */
const NOT_YOU =
  "If this was not you: press “This was not me” under Account. It ends all your sessions, and nobody can decide in your name until a colleague lets you back in. If you cannot sign in, have an admin or your partner's owner deactivate you.";

const WEBHOOK_TIMEOUT_MS = 10_000;
type Outcome = { outcome: "sent" } | { outcome: "refused" | "unreachable"; trouble: string };

/**
 * One try to send a message that this worker holds: its content is what the person's present role and settings allow and what is not
 * decided yet. The result is stored only while the lease is still held. If the worker dies before that, the message is tried again under
 * the same id.
 */
export async function sendMessage(ctx: Powers, operator: Operator, message: ClaimedMessage, signal?: AbortSignal): Promise<void> {
  const outcome = await attempt(ctx, operator, message, signal);
  // Called off: the worker ends, and the next one tries.
  if (outcome !== null) await settleMessage(ctx.db, message, outcome, ctx.clock.now());
}

async function attempt(ctx: Powers, operator: Operator, message: ClaimedMessage, signal?: AbortSignal): Promise<MessageEnd | null> {
  const read = await readMessage(ctx.db, message);
  if (read === null || read.user.disabledAt !== null) return { state: "dropped", trouble: null };
  const { user, settings, carried } = read;
  const sentence = carried
    .filter(({ rule, isSettled, notification: { kind } }) => !isSettled && ruleOf(kind, rule)[message.channel])
    .map(({ notification }) => notification)
    .filter(({ kind, partnerId }) => mayNotify(user.role, kind) && partnerId === user.partnerId);
  if (sentence.length === 0) return { state: "dropped", trouble: null };
  const letter = letterOf(sentence, operator);
  let outcome: Outcome;
  if (message.channel === "mail") {
    const text = [
      ...letter.lines.flatMap(({ text: line, url }) => [line, url, ""]),
      ...(sentence.some(({ kind }) => isFixed(kind)) ? [NOT_YOU, ""] : []),
      `Which of these you get: ${operator.baseUrl}/console/notifications`,
    ];
    outcome = await ctx.mailer.send({ id: message.id, to: user.email, subject: letter.title, text: `${text.join("\n")}\n` });
  } else {
    if (settings?.sealedWebhookUrl == null) return { state: "dropped", trouble: null };
    const url = ctx.vault.open(settings.sealedWebhookUrl, webhookOf(user.id));
    await oweFollowUps(
      ctx.db,
      sentence.map(({ id }) => id),
    );
    const headers = { "content-type": "application/json", "webhook-id": message.id };
    const answer = await ctx.callbacks.send({
      url,
      headers,
      body: JSON.stringify(slackOf(letter)),
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      ...(signal && { signal }),
    });
    outcome = answer.trouble === null ? { outcome: "sent" } : { outcome: "unreachable", trouble: answer.trouble.message };
  }
  if (signal?.aborted && outcome.outcome !== "sent") return null;
  if (outcome.outcome === "sent") return { state: "sent", trouble: null };
  const again = outcome.outcome === "refused" ? null : tryAgainAt(message.tries, ctx.clock.now());
  return again === null ? { state: "given_up", trouble: outcome.trouble } : { dueAt: again, trouble: outcome.trouble };
}
