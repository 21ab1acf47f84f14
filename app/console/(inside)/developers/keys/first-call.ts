import { signedCurl } from "#contract/signed-curl.ts";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import type { IssuedKey } from "./answers.ts";
import type { FIRST_CALL } from "./words.ts";

type Translations = typeof FIRST_CALL;

/** The parts of a new key that are shown only once. */
export function keyOnce(key: IssuedKey, title: string, t: Translations): OneTimeSecret {
  return {
    title,
    values: [
      { label: t.apiKey, variable: "API_KEY", value: key.api_key },
      { label: t.apiSecret, variable: "API_SECRET", value: key.api_secret },
    ],
    curl: signedEcho(key),
    file: fileName(key.name),
  };
}

/** A file name that is valid on every system. */
function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "api-key" : plain;
}

/** A first signed call, which changes nothing. Key and secret come from the downloaded file. */
function signedEcho({ name, base_url, brand }: IssuedKey): string {
  const echo = signedCurl({ baseUrl: base_url, brand, method: "POST", path: "/api/v1/echo", body: '{"hello": "world"}' });
  return `set -a; . ./${fileName(name)}.env; set +a\n\n${echo}`;
}
