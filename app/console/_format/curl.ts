import { shellWord } from "#contract/signed-curl.ts";

/** curl sets these correctly itself. */
const OWN = new Set(["host", "content-length", "connection", "accept-encoding"]);

/** Sends exactly the same request again, with the same bytes and headers. */
export function replayCommand(url: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`);
  return [`curl --globoff --path-as-is --request POST ${shellWord(url)}`, ...lines, `--data-binary ${shellWord(body)}`].join(" \\\n  ");
}
