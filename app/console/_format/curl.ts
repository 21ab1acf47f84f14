/** Commands for a POSIX shell. What is sent is the text to the letter, whatever it holds. */

/** A text as one word of the shell, byte for byte. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** curl sets these itself, rightly. */
const OWN = new Set(["host", "content-length", "connection", "accept-encoding"]);

/** Sends the same bytes under the same headers again: a receiver sees the very request that it saw. */
export function replayCommand(url: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`);
  return [`curl --globoff --path-as-is --request POST ${shellWord(url)}`, ...lines, `--data-binary ${shellWord(body)}`].join(" \\\n  ");
}

export type SignedCall = { baseUrl: string; brand: string; method: "GET" | "POST"; path: string; body: string };

/**
 * A signed call of the settlement surface (specification, part 5). Key and secret are the shell's variables: they are on no page.
 * Needs openssl; the third line is the signing string.
 */
export function signedCommand({ baseUrl, brand, method, path, body }: SignedCall): string {
  const header = (name: string, value: string) => `--header "X-${brand}-${name}: ${value}"`;
  return `# API_KEY and API_SECRET are yours to set.
TIMESTAMP=$(date +%s) BODY=${body === "" ? "''" : shellWord(body)}
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} ${path} '' "$BODY" | openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= *//')
NONCE=$(openssl rand -hex 16 | sed 's/^\\(.\\{8\\}\\)\\(.\\{4\\}\\).\\(.\\{3\\}\\).\\(.\\{3\\}\\)\\(.\\{12\\}\\)/\\1-\\2-4\\3-a\\4-\\5/')
${[
  `curl --request ${method} ${shellWord(baseUrl.replace(/\/$/, "") + path)}`,
  `--header "Authorization: $API_KEY"`,
  `--header "Content-Type: application/json"`,
  header("Timestamp", "$TIMESTAMP"),
  header("Nonce", "$NONCE"),
  header("Signature", "$SIGNATURE"),
  ...(body === "" ? [] : [`--data-binary "$BODY"`]),
].join(" \\\n  ")}`;
}
