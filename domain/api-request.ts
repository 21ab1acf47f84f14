/** A request in the API log. It never contains a secret, an API key or a body, except for {@link RefusedSignatureParticulars}. */
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
  /** The answer was stored under an Idempotency-Key. */
  replayed: boolean;
  settlementId: string | null;
};

/** The name of the console's own calls in the log, which only has refused ones. */
export const CONSOLE_SURFACE = "console";

/** The signing headers of a refused request. Texts have one character for each byte on the wire. */
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

/** A refused request with its details, as long as those are stored. */
export type RefusedSignedRequest = { request: ApiRequest; refused: RefusedSignatureParticulars; body: Buffer };

/** Additional data of a logged request: `refused` if the key was known and a signing check failed. */
export type ArrivedApiRequest = ApiRequest & { refused: { particulars: RefusedSignatureParticulars; body: Uint8Array } | null };

/** The refusals that the debugger explains: the key was known, and the signature was not accepted. */
export const SIGNING_REFUSALS: readonly string[] = [
  "missing_credentials",
  "revoked_api_key",
  "stale_timestamp",
  "invalid_nonce",
  "signature_mismatch",
  "nonce_reused",
];

/** Filters of the log: its range, and the class of answers. */
export const LOG_RANGES = ["1h", "24h", "7d", "30d"] as const;
export const STATUS_CLASSES = ["2xx", "4xx", "5xx"] as const;

/** Bodies of refused requests may contain personal data, and are useful only during integration. */
export const REFUSED_BODY_DAYS = 7;
