import { type Bytes, base64Bytes, hexBytes, hexText, joinBytes, latin1Bytes, utf8Bytes, utf8Text } from "#domain/bytes.ts";
import { componentsOf, type MistakeRule, messageOf, permutations, type SignatureDraft } from "./drafts.ts";

const NEWLINE = utf8Bytes("\n");
const IN_ORDER = "Join timestamp, method, path, query and body in this order, with one newline between them.";
const FIVE = `${IN_ORDER} An empty component keeps its place.`;

/** Mistakes about how the five components become one text. */
const JOIN_MISTAKES: readonly MistakeRule[] = [
  joined("joined_by_crlf", "the components were joined by CRLF", "Join the components by a single newline (0x0a).", ["\r\n"]),
  joined(
    "joined_by_literal_backslash_n",
    "the components were joined by a backslash and an n instead of a newline",
    "Join by the newline character (0x0a), not by the two characters \\n.",
    ["\\n"],
  ),
  joined(
    "joined_without_newlines",
    "the components were joined with nothing between them",
    "Join the components by a single newline (0x0a).",
    [""],
  ),
  joined(
    "joined_by_other_separator",
    "the components were joined by another character than a newline",
    "Join the components by a single newline (0x0a).",
    ["|", ".", ":", ",", "&", " ", "\n\n"],
  ),
  {
    id: "components_in_other_order",
    part: "join",
    found: "the components were joined in another order",
    advice: IN_ORDER,
    alone: true,
    drafts: (right) =>
      permutations(componentsOf(right))
        .slice(1)
        .map((parts) => ({ message: join(parts, NEWLINE) })),
  },
  {
    id: "empty_components_dropped",
    part: "join",
    found: "empty components were dropped together with their newline",
    advice: FIVE,
    drafts: (right) => {
      const parts = componentsOf(right);
      const [timestamp, method, path, query] = parts;
      const body = parts.slice(4);
      const short = [parts.filter((part) => part.length > 0), parts.slice(0, 4), parts.slice(0, 3)];
      if (timestamp && method && path && query?.length === 0) short.push([timestamp, method, path, ...body]);
      return short.filter((some) => some.length < 5).map((some) => ({ message: join(some, NEWLINE) }));
    },
  },
  {
    id: "component_left_out",
    part: "join",
    found: "one of the five components was left out",
    advice: FIVE,
    drafts: (right) => {
      const names = ["timestamp", "method", "path", "query", "body"];
      return names.map((name, index) => ({
        message: join(componentsOf(right).toSpliced(index, 1), NEWLINE),
        found: `the ${name} was left out of the signing string`,
      }));
    },
  },
  {
    id: "nonce_signed",
    part: "join",
    found: "the nonce was signed as well",
    advice: `The nonce is not part of the signing string. ${IN_ORDER}`,
    drafts: (right, { nonce }) =>
      [0, 1, 2, 3, 4, 5].map((index) => ({
        message: join(componentsOf(right).toSpliced(index, 0, latin1Bytes(nonce)), NEWLINE),
      })),
  },
  {
    id: "line_break_around",
    part: "join",
    found: "the signing string began or ended with a line break too many",
    advice: IN_ORDER,
    drafts: (right) => {
      const message = messageOf(right);
      return [joinBytes([NEWLINE, message]), joinBytes([message, NEWLINE]), joinBytes([message, utf8Bytes("\r\n")])].map((other) => ({
        message: other,
      }));
    },
  },
];

const AS_ISSUED = "The key of the HMAC is the whole secret as it was issued, as text.";

/** Mistakes about the key of the HMAC, and about what was computed at all. */
const SECRET_MISTAKES: readonly MistakeRule[] = [
  secret(
    "whitespace_in_secret",
    "a space or a line break was left around the secret",
    `Trim the secret when you read it from a file or a variable. ${AS_ISSUED}`,
    (text) => [`${text}\n`, `${text}\r\n`, `${text} `, ` ${text}`, `${text}\r`, `${text}\t`],
  ),
  secret("secret_in_quotes", "the secret was used with quotation marks around it", AS_ISSUED, (text) => [`"${text}"`, `'${text}'`]),
  secret("secret_without_prefix", "the secret was used without its prefix", AS_ISSUED, (text) => [
    text.replace(/^sec_(live|test)_/, ""),
    text.replace(/^sec_/, ""),
  ]),
  {
    ...secret("secret_decoded", "the secret was decoded before it was used", `${AS_ISSUED} Do not decode it.`, () => []),
    drafts: ({ secret: right }) => {
      const text = utf8Text(right);
      const bare = text.replace(/^sec_(live|test)_/, "");
      return [text, bare]
        .flatMap((some) => [base64Bytes(some), hexBytes(some)])
        .filter((bytes) => bytes.length > 0)
        .map((other) => ({ secret: other }));
    },
  },
  {
    ...secret("secret_hashed", "a hash of the secret was used in its place", AS_ISSUED, () => []),
    drafts: (_right, { secretHash }) => [{ secret: utf8Bytes(hexText(secretHash)) }, { secret: secretHash }],
  },
  secret(
    "secret_empty",
    "the secret was empty when the request was signed",
    "Check that the variable with the secret is set in the process that signs the request.",
    () => ["", "undefined", "null", "None"],
  ),
  {
    ...secret("secret_of_another_key", "another secret was used", "Use the secret that was issued together with this API key.", () => []),
    drafts: (_right, { otherSecrets }) =>
      otherSecrets.map(({ name, secret: other }) => ({
        secret: utf8Bytes(other),
        found: `the secret of ${name} was used instead of this key's`,
      })),
  },
  {
    ...secret(
      "secret_and_message_swapped",
      "secret and signing string changed places in the HMAC",
      "The secret is the key of the HMAC, and the signing string is its message.",
      () => [],
    ),
    drafts: () => [{ digest: ({ secret: own, message }) => ({ key: message, message: own }) }],
  },
  {
    ...secret("plain_hash", "a plain hash was computed instead of an HMAC", "Use HMAC-SHA256 with the secret as its key.", () => []),
    drafts: () =>
      [
        (draft: Digested) => joinBytes([draft.secret, draft.message]),
        (draft: Digested) => joinBytes([draft.message, draft.secret]),
        (draft: Digested) => draft.message,
      ].map((bytes) => ({ digest: (draft) => ({ key: null, message: bytes(draft) }) })),
  },
];

export const WAY_MISTAKES: readonly MistakeRule[] = [...JOIN_MISTAKES, ...SECRET_MISTAKES];

type Digested = Parameters<SignatureDraft["digest"]>[0];

function joined(id: string, found: string, advice: string, separators: readonly string[]): MistakeRule {
  return {
    id,
    part: "join",
    found,
    advice,
    drafts: (right) => separators.map((separator) => ({ message: join(componentsOf(right), utf8Bytes(separator)) })),
  };
}

function secret(id: string, found: string, advice: string, texts: (text: string) => string[]): MistakeRule {
  return {
    id,
    part: "secret",
    found,
    advice,
    drafts: ({ secret: right }) => {
      const text = utf8Text(right);
      return texts(text)
        .filter((other) => other !== text)
        .map((other) => ({ secret: utf8Bytes(other) }));
    },
  };
}

function join(parts: readonly Bytes[], separator: Bytes): Bytes {
  return joinBytes(parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])));
}
