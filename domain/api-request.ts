/** A request as the API log keeps it. Never a secret, an API key or a body, but see {@link RefusedSignatureParticulars}. */
export type ApiRequest = {
  /** `req_…` */
  id: string;
  /** Real time, of the answer. */
  at: Date;
  /** null: an operator's key. */
  partnerId: string | null;
  /** null: a call of the console, by a person. */
  apiKeyId: string | null;
  /** The person, of a call of the console. */
  userId: string | null;
  surface: string;
  /** The operation's id in the published description; `unknown` where no route fitted. */
  operation: string;
  method: string;
  path: string;
  query: string;
  status: number;
  code: string | null;
  durationMs: number;
  address: string;
  /** Answered out of what an Idempotency-Key kept. */
  replayed: boolean;
  settlementId: string | null;
};

/** Under which name the log keeps the console's own calls, of which only those that were refused. */
export const CONSOLE_SURFACE = "console";

/** What the signing headers of a refused request said. Texts hold one character for each byte on the wire. */
export type RefusedSignatureParticulars = {
  timestamp: string;
  nonce: string;
  signature: string;
  host: string | null;
  contentType: string | null;
  /** Whether the API key itself was used as the secret. */
  signedWithApiKey: boolean;
  /** The signing headers that were not there; their values above are empty. */
  missing?: readonly string[];
};

/** A refused request that is kept with its particulars, as long as those are. */
export type RefusedSignedRequest = { request: ApiRequest; refused: RefusedSignatureParticulars; body: Buffer };

/** What a request is kept with: `refused` where the key was known and a signing check failed. */
export type ArrivedApiRequest = ApiRequest & { refused: { particulars: RefusedSignatureParticulars; body: Uint8Array } | null };

/** The refusals that the debugger explains: the key was known, the request was not accepted as signed. */
export const SIGNING_REFUSALS: readonly string[] = [
  "missing_credentials",
  "revoked_api_key",
  "stale_timestamp",
  "invalid_nonce",
  "signature_mismatch",
  "nonce_reused",
];

/** How the log is asked: how far back, and for which answers. */
export const LOG_RANGES = ["1h", "24h", "7d", "30d"] as const;
export const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;

/** Bodies of refused requests may hold what is personal, and are of use while somebody integrates. */
export const REFUSED_BODY_DAYS = 7;
