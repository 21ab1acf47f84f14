/** The ways an attempt can fail, each as one word for the metrics and one public sentence for the partner. */
export type Trouble = { kind: TroubleKind; message: string };
export type TroubleKind =
  | "malformed_url"
  | "blocked_address"
  | "dns"
  | "refused"
  | "unreachable"
  | "timeout"
  | "tls"
  | "reset"
  | "protocol"
  | "status"
  | "aborted"
  | "internal";

const REFUSED = new Set(["ECONNREFUSED"]);
const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL", "EACCES", "EPERM", "EINVAL"]);
const RESET = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);
const TIMEOUT = new Set(["ETIMEDOUT", "ERR_SOCKET_CONNECTION_TIMEOUT"]);
const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);
const CERTIFICATE =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|INVALID_CA|PATH_LENGTH_|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO$)/;

/** Classifies a network error. The sentence never reveals an address or anything internal. */
export function troubleOf(error: unknown): Trouble {
  const code = codeOf(error);
  if (REFUSED.has(code)) return { kind: "refused", message: "The receiver refused the connection." };
  if (UNREACHABLE.has(code)) return { kind: "unreachable", message: "The receiver could not be reached." };
  if (RESET.has(code)) return { kind: "reset", message: "The receiver closed the connection before it answered." };
  if (TIMEOUT.has(code)) return { kind: "timeout", message: "The connection to the receiver timed out." };
  if (CERTIFICATE.test(code)) return { kind: "tls", message: `The TLS connection was not accepted (${code}).` };
  if (code.startsWith("HPE_")) return { kind: "protocol", message: "The receiver's answer is not valid HTTP." };
  if (EXHAUSTED.has(code)) return { kind: "internal", message: "The callback could not be sent because of an internal error." };
  return { kind: "protocol", message: "The exchange with the receiver failed." };
}

export function statusTrouble(status: number): Trouble | null {
  if (status >= 200 && status <= 299) return null;
  const redirect = status >= 300 && status <= 399 && status !== 304;
  return { kind: "status", message: `The receiver answered ${status}${redirect ? "; redirects are not followed" : ""}.` };
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors.at(-1));
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
