import { latin1Text, utf8Bytes } from "#domain/bytes.ts";
import { type MistakeRule, permutations } from "./drafts.ts";

/** Mistakes with the time, the method, the path and the query. */
export const TARGET_MISTAKES: readonly MistakeRule[] = [
  {
    id: "timestamp_in_milliseconds",
    part: "timestamp",
    found: "the timestamp was signed in milliseconds",
    advice: "Sign exactly the text of the timestamp header, which is in seconds.",
    alone: true,
    drafts: ({ timestamp, body }) =>
      // The last three digits are unknown; with a long body only the likeliest are tried.
      Array.from({ length: body.length > 4_096 ? 1 : 1_000 }, (_, millis) => ({ timestamp: timestamp + String(millis).padStart(3, "0") })),
  },
  {
    id: "timestamp_differs_from_header",
    part: "timestamp",
    found: "another timestamp was signed than the header carries",
    advice: "Read the clock once, and use the same text in the header and in the signing string.",
    alone: true,
    drafts: ({ timestamp }) =>
      [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5].map((seconds) => ({
        timestamp: String(Number(timestamp) + seconds),
        found: `the timestamp that was signed is ${Math.abs(seconds)} s ${seconds < 0 ? "before" : "after"} the one in the header`,
      })),
  },
  {
    id: "timestamp_as_iso",
    part: "timestamp",
    found: "the timestamp was signed as an ISO 8601 text",
    advice: "Sign exactly the text of the timestamp header: Unix seconds, digits only.",
    drafts: ({ timestamp }) => isoTexts(timestamp).map((text) => ({ timestamp: text })),
  },
  {
    id: "method_in_lower_case",
    part: "method",
    found: "the method was signed in lower case",
    advice: "Sign the method in upper case.",
    drafts: ({ method }) => [{ method: method.toLowerCase() }],
  },
  {
    id: "method_capitalised",
    part: "method",
    found: "only the first letter of the method was a capital",
    advice: "Sign the method in upper case.",
    drafts: ({ method }) => [{ method: method.charAt(0) + method.slice(1).toLowerCase() }],
  },
  {
    id: "path_without_prefix",
    part: "path",
    found: "the path was signed without /api/v1",
    advice: "Sign the whole path as requested, with /api/v1 in front.",
    drafts: ({ path }) =>
      ["/api/v1", "/api"].filter((prefix) => path.startsWith(`${prefix}/`)).map((prefix) => ({ path: path.slice(prefix.length) })),
  },
  {
    id: "path_with_prefix_twice",
    part: "path",
    found: "the path was signed with /api/v1 twice",
    advice: "Sign the path as requested, with /api/v1 in front only once.",
    drafts: ({ path }) => [{ path: `/api/v1${path}` }],
  },
  {
    id: "path_with_origin",
    part: "path",
    found: "the whole URL was signed in the path's place",
    advice: "Sign only the path, from its first slash up to the question mark.",
    drafts: ({ path, query }, { host }) =>
      host === null ? [] : ["https", "http"].flatMap((scheme) => withQuery(`${scheme}://${host}${path}`, query)),
  },
  {
    id: "path_with_query",
    part: "path",
    found: "the query was signed as part of the path",
    advice: "Sign the path up to the question mark, and the query on the next line.",
    drafts: ({ path, query }) => (query === "" ? [] : withQuery(path, query).slice(1)),
  },
  {
    id: "path_without_first_slash",
    part: "path",
    found: "the path was signed without its first slash",
    advice: "Sign the path with its first slash: /api/v1/…",
    drafts: ({ path }) => [{ path: path.slice(1) }],
  },
  {
    id: "path_with_other_last_slash",
    part: "path",
    found: "the path was signed with another end: a slash more or less",
    advice: "Sign the path exactly as requested.",
    drafts: ({ path }) => [{ path: path.endsWith("/") ? path.slice(0, -1) : `${path}/` }],
  },
  {
    id: "path_decoded",
    part: "path",
    found: "the path was signed with its percent-encoding undone",
    advice: "Sign the path as it is on the wire, percent-encoding included.",
    drafts: ({ path }) => changed(path, [decoded(path)]).map((text) => ({ path: text })),
  },
  {
    id: "query_with_question_mark",
    part: "query",
    found: "the query was signed with its question mark",
    advice: "Sign the query without the leading question mark.",
    drafts: ({ query }) => [{ query: `?${query}` }],
  },
  {
    id: "query_left_out",
    part: "query",
    found: "the query was left out",
    advice: "Sign the query as it was sent, on its own line between path and body.",
    drafts: ({ query }) => changed(query, [""]).map((text) => ({ query: text })),
  },
  {
    id: "query_decoded",
    part: "query",
    found: "the query was signed with its percent-encoding undone",
    advice: "Sign the raw query as it is on the wire, percent-encoding included.",
    drafts: ({ query }) => changed(query, [decoded(query), decoded(query.replaceAll("+", "%20"))]).map((text) => ({ query: text })),
  },
  {
    id: "query_encoded_otherwise",
    part: "query",
    found: "the query was signed with another percent-encoding than it was sent with",
    advice: "Build the query once, and use the same text in the URL and in the signing string.",
    drafts: ({ query }) => changed(query, reencoded(query)).map((text) => ({ query: text })),
  },
  {
    id: "query_reordered",
    part: "query",
    found: "the query's parameters were signed in another order",
    advice: "Sign the parameters in the order in which the URL has them.",
    drafts: ({ query }) => changed(query, orders(query)).map((text) => ({ query: text })),
  },
];

/** Above this many parameters only sorted and reversed are tried. */
const MAX_PERMUTED = 4;

function orders(query: string): string[] {
  const pairs = query.split("&");
  if (pairs.length <= MAX_PERMUTED) return permutations(pairs).map((order) => order.join("&"));
  return [pairs.toSorted(), pairs.toReversed()].map((order) => order.join("&"));
}

function withQuery(path: string, query: string) {
  return query === "" ? [{ path }] : [{ path }, { path: `${path}?${query}`, query: "" }, { path: `${path}?${query}` }];
}

function reencoded(query: string): string[] {
  const form = new URLSearchParams(query).toString();
  const lowerCase = query.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toLowerCase());
  const upperCase = query.replace(/%[0-9A-Fa-f]{2}/g, (code) => code.toUpperCase());
  return [
    form,
    form.replaceAll("+", "%20"),
    lowerCase,
    upperCase,
    query.replaceAll("+", "%20"),
    query.replaceAll("%20", "+"),
    query.replaceAll(":", "%3A"),
  ];
}

/** As UTF-8 bytes, one character each; unchanged where it is not valid percent-encoding. */
function decoded(text: string): string {
  try {
    return latin1Text(utf8Bytes(decodeURIComponent(text)));
  } catch {
    return text;
  }
}

function changed(from: string, texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== from);
}

function isoTexts(timestamp: string): string[] {
  if (!/^\d{9,11}$/.test(timestamp)) return [];
  const text = new Date(Number(timestamp) * 1_000).toISOString();
  const seconds = text.slice(0, 19);
  return [text, `${seconds}Z`, `${seconds}+00:00`];
}
