import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { text } from "node:stream/consumers";

/** Where a client's certificate and its key are, PEM; `caFile`: who may have issued the server's, if not a public authority. */
export type ClientCertificate = { certFile: string; keyFile: string; caFile: string | null };

/**
 * A `fetch` that identifies itself with a client's certificate. The files are read for each request, so a renewed certificate needs no
 * restart.
 */
export function certifiedFetch({ certFile, keyFile, caFile }: ClientCertificate) {
  return async (url: string | URL | Request, { method = "GET", headers, body, signal }: RequestInit = {}): Promise<Response> => {
    const [cert, key, ca] = await Promise.all([readFile(certFile), readFile(keyFile), caFile === null ? undefined : readFile(caFile)]);
    const known = Object.fromEntries(new Headers(headers));
    return await new Promise<Response>((resolve, reject) => {
      const sent = request(String(url), { method, headers: known, cert, key, agent: false, ...(ca && { ca }), ...(signal && { signal }) });
      sent.on("error", reject);
      sent.on("response", (response) => {
        const type = response.headers["content-type"] ?? "";
        const answer = (content: string) =>
          new Response(content, { status: response.statusCode ?? 502, headers: { "content-type": type } });
        text(response).then((content) => resolve(answer(content)), reject);
      });
      sent.end(String(body ?? ""));
    });
  };
}
