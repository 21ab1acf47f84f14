import { readFileSync } from "node:fs";
import type postgres from "postgres";

/** libpq's names for the client's certificate, its key, and the authority of the server's, as parameters of the URL. */
const CERTIFICATE = ["sslcert", "sslkey", "sslrootcert"] as const;

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * What the driver is opened with. Where the URL names a certificate and its key, the process logs in with them. Each connection reads the
 * files, so a short-lived certificate may be renewed in place. The server's own certificate is then always verified, by `sslrootcert` or by
 * the authorities that Node knows.
 *
 * @throws Error where only one of the two is named
 */
export function withCertificate<Given extends Options>(url: string, options: Given): [url: string, options: Given] {
  if (!/[?&]ssl(cert|key)=/.test(url)) return [url, options];
  const plain = new URL(url);
  const [cert, key, authority] = CERTIFICATE.map((name) => plain.searchParams.get(name));
  if (!cert || !key) throw new Error("A database's URL names sslcert and sslkey together, or neither.");
  for (const name of [...CERTIFICATE, "sslmode"]) plain.searchParams.delete(name);
  const ssl = {
    get cert() {
      return readFileSync(cert);
    },
    get key() {
      return readFileSync(key);
    },
    ...(authority && { ca: readFileSync(authority) }),
  };
  return [plain.href, { ...options, ssl }];
}
