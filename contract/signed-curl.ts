/**
 * A signed call for a POSIX shell that has openssl and curl, on Linux and macOS alike (specification, part 5). Key and secret are the
 * shell's variables `API_KEY` and `API_SECRET`: they are in no text.
 */
export type SignedCall = {
  baseUrl: string;
  /** The word in the names of the signing headers. */
  brand: string;
  method: string;
  path: string;
  /** Without its question mark. */
  query?: string;
  /** A text to send byte for byte, or a file in the shell's folder. Omitted: none. */
  body?: string | { file: string };
};

export function signedCurl({ baseUrl, brand, method, path, query = "", body }: SignedCall): string {
  const header = (name: string, value: string) => `-H "${name}: ${value}"`;
  const url = `${baseUrl.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`;
  const usual = body === undefined ? "GET" : "POST";
  const how = method === "HEAD" ? " --head" : method === usual ? "" : ` -X ${method}`;
  return [
    ...(body === undefined ? [] : [`BODY=${typeof body === "string" ? quoted(body) : `$(cat ${shellWord(body.file)})`}`]),
    "TIMESTAMP=$(date +%s)",
    "NONCE=$(openssl rand -hex 16 |",
    "  sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\\1-\\2-4\\3-a\\4-\\5/')",
    `SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} ${shellWord(path)} ${shellWord(query)} ${body === undefined ? "''" : '"$BODY"'} |`,
    `  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= *//')`,
    "",
    [
      `curl -sS --globoff --path-as-is${how} ${shellWord(url)}`,
      header(path.startsWith("/api/v1/") ? "Authorization" : "apiKey", "$API_KEY"),
      header("Content-Type", "application/json"),
      header(`X-${brand}-Timestamp`, "$TIMESTAMP"),
      header(`X-${brand}-Nonce`, "$NONCE"),
      header(`X-${brand}-Signature`, "$SIGNATURE"),
      ...(body === undefined ? [] : ['--data-raw "$BODY"']),
    ].join(" \\\n  "),
  ].join("\n");
}

/** A text as one word of the shell, byte for byte; in quotes only if it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
