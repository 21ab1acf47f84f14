/** The words of the search, for the pages' own search and for that of the MCP server: without small words, as stems, with synonyms. */

/** Words that say nothing about a place. */
const SMALL = new Set(
  "a an and any are as at be by can do does for from get happen happens has have how i if in into is it its me my not of on or our should so than that the their them then there these this to use was we what when where which who why will with you your".split(
    " ",
  ),
);

/** What people type, in one form: words that mean the same here. Each names the words of these pages. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  allowlist: ["address"],
  api: ["operation"],
  auth: ["signing", "key"],
  authentication: ["signing", "key"],
  currency: ["pair"],
  duplicate: ["idempotency", "twice"],
  encrypted: ["sealed"],
  express: ["framework"],
  fastapi: ["framework"],
  flask: ["framework"],
  django: ["framework"],
  laravel: ["framework"],
  nextjs: ["framework"],
  spring: ["framework"],
  hmac: ["signature"],
  kept: ["keep"],
  kyc: ["identity"],
  launch: ["live"],
  login: ["sign-on"],
  long: ["days"],
  mpesa: ["mobile_money"],
  outage: ["unavailable", "status"],
  paging: ["pagination"],
  payout: ["withdrawal"],
  deposit: ["topup"],
  precision: ["decimal"],
  production: ["live"],
  redeliver: ["resend"],
  reimburse: ["refund"],
  sso: ["single", "sign-on"],
  supported: ["pair"],
  throttling: ["limit"],
  uptime: ["status"],
  webhook: ["callback"],
  whitelist: ["address"],
};

/** Endings by which words of one root differ, longest first, and what is left in their place. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:ifications?|ify|ifies|ified|ifying)$/, "if"],
  [/(?:iations?|iating|iates?|iated)$/, "i"],
  [/(?:ations?|ating|ates?|ated|ative|ators?)$/, ""],
  [/(?:ions?|ings?|ed|ers?|ies|es|s|y|e)$/, ""],
];
const SHORTEST_STEM = 3;

/** The stem of a word in lower case: `signatures` and `signature`, `verified` and `verify` have the same one. */
export function stem(word: string): string {
  const known = stems.get(word) ?? stemOf(word);
  stems.set(word, known);
  return known;
}

const stems = new Map<string, string>();

function stemOf(word: string): string {
  if (/[0-9_]/.test(word)) return word;
  for (const [ending, left] of ENDINGS) {
    const short = word.replace(ending, left);
    if (short !== word && short.length >= SHORTEST_STEM) return short;
  }
  return word;
}

/** Names with underscores as a whole and in parts. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));
}

/** As it is looked up; null: it is too small to say anything. */
export function termOf(word: string): string | null {
  return word.length < 2 || SMALL.has(word) ? null : stem(word);
}

const BY_STEM = new Map(Object.entries(SYNONYMS).map(([word, others]) => [stem(word), others.flatMap(wordsOf).map(stem)]));

/** The words of a question, each with its synonyms: a place fits where one of each is. */
export function askedFor(question: string): string[][] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.flatMap((word) => {
    const term = termOf(word);
    return term === null ? [] : [[...new Set([term, ...(BY_STEM.get(term) ?? [])])]];
  });
}
