import { hexOfTron } from "#domain/tron-address.ts";
import type { TronHttp } from "./http.ts";
import { Constant } from "./node-answers.ts";
import { isReverted, tronHex } from "./play.ts";

/** How tokens call the question: USDT on Tron, USDC, Tether's newer contracts. */
const QUESTIONS = ["isBlackListed(address)", "isBlacklisted(address)", "isBlocked(address)"] as const;
/** A node answers for one address at a time. Of more recipients than this the trial before signing decides. */
const MOST_RECIPIENTS = 20;
const BLOCKED = "The token's issuer has blocked the recipient's address.";

/** By token, the question that it answers; null: none of them. */
export type KnownQuestions = Map<string, string | null>;

/**
 * Why these recipients cannot be paid: the token's issuer has blocked them. Most tokens accept a transfer to such an address, and nobody can
 * move it from there. null for the others, and where the token has no such list. @throws Unreachable
 */
export async function judgeRecipients(
  http: TronHttp,
  known: KnownQuestions,
  recipients: readonly string[],
  token: string | null,
): Promise<(string | null)[]> {
  const [first] = recipients;
  const none = recipients.map(() => null);
  if (token === null || first === undefined || recipients.length > MOST_RECIPIENTS) return none;
  const question = known.has(token) ? known.get(token) : await questionOf(http, token, first);
  known.set(token, question ?? null);
  if (question == null) return none;
  const answers = await Promise.all(recipients.map((recipient) => answerOf(http, question, token, recipient)));
  return answers.map((isBlocked) => (isBlocked === true ? BLOCKED : null));
}

async function questionOf(http: TronHttp, token: string, address: string): Promise<string | null> {
  const answers = await Promise.all(QUESTIONS.map((question) => answerOf(http, question, token, address)));
  return QUESTIONS[answers.findIndex((answer) => answer !== null)] ?? null;
}

/** Null: the token has no such function. */
async function answerOf(http: TronHttp, question: string, token: string, address: string): Promise<boolean | null> {
  const played = await http.ask(Constant, "triggerconstantcontract", {
    owner_address: tronHex(address),
    contract_address: tronHex(token),
    function_selector: question,
    parameter: hexOfTron(address).slice(2).padStart(64, "0"),
  });
  const [word = ""] = played.constant_result;
  return isReverted(played) || !/^0{63}[01]$/.test(word) ? null : word.endsWith("1");
}
