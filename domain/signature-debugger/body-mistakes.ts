import { base64Text, hexText, latin1Bytes, latin1Text, utf8Bytes, utf8Text } from "#domain/bytes.ts";
import { type JsonLayout, type JsonTree, readJsonTree, writeJson } from "#domain/json-layout.ts";
import type { MistakeRule } from "./drafts.ts";

const AS_SENT = "Serialise the body once, and sign exactly the bytes that you send.";

/** Mistakes with the body: another serialiser, or a change on the way. */
export const BODY_MISTAKES: readonly MistakeRule[] = [
  rule("body_left_out", "the body was left out", "Sign the raw body after the line of the query, unless the request has no body.", () => [
    "",
  ]),
  rule("body_trailing_newline", "a newline was signed behind the body", `Sign the body alone. ${AS_SENT}`, (text) => [
    `${text}\n`,
    `${text}\r\n`,
  ]),
  rule("body_without_trailing_newline", "the body was signed without its last line break", AS_SENT, (text) => [
    text.replace(/\r?\n$/, ""),
    text.trim(),
  ]),
  rule("body_line_ends", "the body was signed with other line ends (CRLF against LF)", AS_SENT, (text) => [
    text.replaceAll("\r\n", "\n"),
    text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n"),
  ]),
  laidOut("body_compact", "the body was signed as compact JSON, without spaces and line breaks", [{}]),
  laidOut("body_pretty", "the body was signed pretty-printed, indented by 2 spaces", [{ indent: "  " }]),
  laidOut("body_pretty_4", "the body was signed pretty-printed, indented by 4 spaces", [{ indent: "    " }]),
  laidOut("body_pretty_tab", "the body was signed pretty-printed, indented by tabs", [{ indent: "\t" }]),
  laidOut("body_python_spaces", "the body was signed with a space after each comma and colon, as Python's json.dumps writes it", [
    { comma: ", ", colon: ": " },
    { comma: ", ", colon: ": ", text: escaped },
  ]),
  laidOut("body_sorted", "the body was signed with its keys sorted", [
    { sortKeys: true },
    { sortKeys: true, comma: ", ", colon: ": " },
    { sortKeys: true, indent: "  " },
    { sortKeys: true, indent: "    " },
  ]),
  laidOut("body_unicode_escaped", "the body was signed with its non-ASCII characters as \\u escapes", [{ text: escaped }]),
  laidOut("body_unicode_unescaped", "the body was signed with its \\u escapes written out as characters", [{ text: unescaped }]),
  laidOut("body_slashes_escaped", "the body was signed with its slashes escaped as \\/, as PHP's json_encode writes them", [
    { text: (literal) => literal.replaceAll("/", "\\/") },
    { text: (literal) => escaped(literal.replaceAll("/", "\\/")) },
  ]),
  laidOut("body_slashes_unescaped", "the body was signed with its escaped slashes (\\/) written as plain ones", [
    { text: (literal) => literal.replaceAll("\\/", "/") },
  ]),
  rule("body_quoted", "the body was signed as a JSON text inside of quotes: it was serialised twice", AS_SENT, (text) => [
    JSON.stringify(text),
  ]),
  rule(
    "body_empty_object",
    "an empty JSON value was signed though no body was sent",
    "Sign nothing after the line of the query when you send no body.",
    (text) => (text === "" ? ["{}", "null", '""', "[]"] : []),
  ),
  {
    ...rule("body_hashed", "a hash of the body was signed in its place", "Sign the body itself, not its hash.", () => []),
    drafts: (_right, { bodyHash }) => [hexText(bodyHash), base64Text(bodyHash)].map((text) => ({ body: utf8Bytes(text) })),
  },
  {
    ...rule("body_in_base64", "the body was signed in base64", "Sign the body as it is sent.", () => []),
    drafts: ({ body }) => (body.length === 0 ? [] : [{ body: utf8Bytes(base64Text(body)) }]),
  },
  {
    ...rule(
      "body_in_latin1",
      "the body was signed in another character set than UTF-8",
      "Sign the body's bytes as they are sent, in UTF-8.",
      () => [],
    ),
    drafts: ({ body }) => {
      const text = utf8Text(body);
      const ascii = /^[\x00-\x7f]*$/.test(text);
      return ascii
        ? []
        : [latin1Bytes(text), utf8Bytes(latin1Text(body)), utf8Bytes(text.replace(/[^\x00-\x7f]/g, "?"))].map((other) => ({ body: other }));
    },
  },
  rule(
    "body_with_bom",
    "the body was signed with a byte order mark in front",
    "Sign the body without a byte order mark, as it is sent.",
    (text) => (text === "" ? [] : [`\ufeff${text}`]),
  ),
];

function rule(id: string, found: string, advice: string, texts: (text: string) => string[]): MistakeRule {
  return {
    id,
    part: "body",
    found,
    advice,
    drafts: ({ body }) => {
      const text = utf8Text(body);
      return texts(text)
        .filter((other) => other !== text)
        .map((other) => ({ body: utf8Bytes(other) }));
    },
  };
}

/** What the same JSON looks like under another layout; trees are read once a body. */
function laidOut(id: string, found: string, layouts: readonly JsonLayout[]): MistakeRule {
  return rule(id, found, AS_SENT, (text) => {
    const tree = treeOf(text);
    return tree === null ? [] : layouts.map((layout) => writeJson(tree, layout));
  });
}

let latest: { text: string; tree: JsonTree | null } | null = null;

function treeOf(text: string): JsonTree | null {
  if (latest?.text !== text) latest = { text, tree: readJsonTree(text) };
  return latest.tree;
}

function escaped(literal: string): string {
  return literal.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function unescaped(literal: string): string {
  return literal.replace(/\\u([0-9a-fA-F]{4})/g, (all, code: string) => {
    const unit = String.fromCharCode(Number.parseInt(code, 16));
    return /[\x00-\x1f"\\]/.test(unit) ? all : unit;
  });
}
