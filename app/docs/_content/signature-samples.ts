/** A callback that is checked without any secret. */
export const publicKeyVerification = `import { verifyCallback } from "settlement-sdk";

// PARTNER_ID is yours, from your settings and never from a callback. Read the keys once, and again when a signature does not match.
const publicKeys = await (await fetch(\`\${BASE_URL}/.well-known/jwks.json?partner=\${PARTNER_ID}\`)).json();

const callback = await verifyCallback({ headers: request.headers, body }, { publicKeys });`;

/** What a library for RFC 9421 adds to a request. */
export const messageSignature = `Content-Digest: sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
Signature-Input: sig1=("@method" "@target-uri" "content-digest");created=1763800000;nonce="3f0c1d52-9b1e-4c68-8a83-0b3a4c1f0e11";keyid="<API_KEY>";alg="hmac-sha256"
Signature: sig1=:<BASE64 HMAC-SHA256>:`;
