import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** An identity provider for tests that says what a test wants it to say, also what no real one would. */
export type Forger = {
  issuer: string;
  /** The ID token of the next code. */
  tokenFor: (claims: JWTPayload) => Promise<string>;
  /** Signs anything with its key. */
  sign: (claims: JWTPayload, header?: Record<string, string>) => Promise<string>;
  /** Its public key, as its document of keys says it. */
  publicKey: () => string;
  /** Answers a code with that ID token, once. */
  give: (code: string, idToken: string) => void;
  /** What its configuration says besides. */
  says: Record<string, unknown>;
  /** What its endpoint about the person says; null: it has none. */
  userInfo: Record<string, unknown> | null;
  /** How the client proved itself with the last code. */
  authorization: string | null;
  /** Hands out no key any more. */
  takeKeysAway: () => void;
  close: () => Promise<void>;
};

/** Starts one on loopback. */
export async function startForger(): Promise<Forger> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "first", alg: "RS256", use: "sig" };
  const codes = new Map<string, string>();
  let keys: object[] = [jwk];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", forger.issuer);
    const answer = (body: unknown, status = 200) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration") {
      const endpoints = { authorization_endpoint: `${forger.issuer}/authorize`, token_endpoint: `${forger.issuer}/token` };
      const about = forger.userInfo === null ? {} : { userinfo_endpoint: `${forger.issuer}/me` };
      const plain = { issuer: forger.issuer, jwks_uri: `${forger.issuer}/keys`, response_types_supported: ["code"] };
      const signs = { subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256"] };
      return answer({ ...plain, ...signs, ...endpoints, ...about, authorization_response_iss_parameter_supported: true, ...forger.says });
    }
    if (pathname === "/keys") return answer({ keys });
    if (pathname === "/me") return answer(forger.userInfo);
    if (pathname !== "/token") return answer({ error: "not_found" }, 404);
    forger.authorization = request.headers.authorization ?? null;
    let body = "";
    for await (const chunk of request) body += chunk;
    const code = new URLSearchParams(body).get("code") ?? "";
    const idToken = codes.get(code);
    codes.delete(code);
    if (idToken === undefined) return answer({ error: "invalid_grant" }, 400);
    answer({ access_token: "access", token_type: "Bearer", expires_in: 60, id_token: idToken });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sign: Forger["sign"] = (claims, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "first", ...header }).sign(privateKey);
  const forger: Forger = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenFor: (claims) => {
      const now = Math.floor(Date.now() / 1_000);
      return sign({ iss: forger.issuer, iat: now, exp: now + 300, auth_time: now, ...claims });
    },
    sign,
    publicKey: () => JSON.stringify(jwk),
    give: (code, idToken) => void codes.set(code, idToken),
    says: {},
    userInfo: null,
    authorization: null,
    takeKeysAway: () => {
      keys = [];
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return forger;
}
