import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { withCertificate } from "./client-certificate.ts";

let folder: string;
let server: TemporaryPostgres;
const at = (name: string) => join(folder, name);

/** A certificate of the authority `by`, or of its own. */
function issue(name: string, subject: string, by?: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", at(`${name}.key`)];
  const signed = by === undefined ? [] : ["-CA", at(`${by}.crt`), "-CAkey", at(`${by}.key`)];
  const about = ["-subj", `/CN=${subject}`, "-addext", "subjectAltName=DNS:localhost", "-days", "2", "-out", at(`${name}.crt`)];
  execFileSync("openssl", ["req", "-x509", ...key, ...signed, ...about], { stdio: "ignore" });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "settlement-certificate-"));
  chmodSync(folder, 0o755);
  issue("authority", "authority");
  issue("server", "localhost", "authority");
  issue("web", "tests", "authority");
  issue("stranger", "tests");
  writeFileSync(
    at("hba.conf"),
    "hostssl all tests 127.0.0.1/32 cert clientcert=verify-full\nhost all postgres 127.0.0.1/32 scram-sha-256\n",
  );
  server = await startTemporaryPostgres({
    settings: (own) => {
      const { uid, gid } = statSync(own);
      for (const name of ["server.key", "server.crt"]) {
        copyFileSync(at(name), join(own, name));
        chownSync(join(own, name), uid, gid);
        chmodSync(join(own, name), 0o600);
      }
      const tls = { ssl: "on", ssl_cert_file: join(own, "server.crt"), ssl_key_file: join(own, "server.key") };
      return { ...tls, ssl_ca_file: at("authority.crt") };
    },
  });
  const admin = postgres(server.superuserUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`alter system set hba_file = '${at("hba.conf")}'`);
  await admin.end();
  await server.halt();
  await server.startAgain();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function urlWith(name: string): string {
  const url = new URL(server.adminUrl);
  Object.assign(url, { password: "", hostname: "localhost" });
  url.search = String(
    new URLSearchParams({
      sslmode: "verify-full",
      sslcert: at(`${name}.crt`),
      sslkey: at(`${name}.key`),
      sslrootcert: at("authority.crt"),
    }),
  );
  return url.href;
}

async function logIn(url: string): Promise<string> {
  const sql = postgres(...withCertificate(url, { max: 1, connect_timeout: 5, onnotice: () => {} }));
  try {
    const [row] = await sql`select current_user as name, ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return `${row?.name} ${row?.ssl}`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

it("logs a process in without a password, and a certificate of another authority or none does not", async () => {
  expect(await logIn(urlWith("web"))).toBe("tests true");
  await expect(logIn(urlWith("stranger"))).rejects.toThrow();
  await expect(logIn(server.adminUrl)).rejects.toThrow(/pg_hba|certificate/);
  expect(() => withCertificate(`${server.adminUrl}?sslcert=/tmp/x`, {})).toThrow("sslcert and sslkey together");
  expect(withCertificate(server.adminUrl, {})).toEqual([server.adminUrl, {}]);
});

it("is read again by each connection, so that it is renewed in place", async () => {
  for (const part of ["crt", "key"]) copyFileSync(at(`stranger.${part}`), at(`renewed.${part}`));
  const sql = postgres(...withCertificate(urlWith("renewed"), { max: 1, connect_timeout: 5, onnotice: () => {} }));
  await expect(sql`select 1`).rejects.toThrow();
  for (const part of ["crt", "key"]) copyFileSync(at(`web.${part}`), at(`renewed.${part}`));
  expect(await sql`select current_user as name`).toMatchObject([{ name: "tests" }]);
  await sql.end({ timeout: 1 });
});
