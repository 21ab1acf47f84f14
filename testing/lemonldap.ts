import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#sandbox/free-port.ts";
import type { AtProvider } from "./identity-browser.ts";

/** LemonLDAP::NG's portal as Debian installs it, under Starman, with settings and sessions of its own. */

const PORTAL = "/usr/share/lemonldap-ng/portal";
const STARMAN = "/usr/bin/starman";
export const LEMONLDAP_PACKAGES = "liblemonldap-ng-portal-perl starman libimage-magick-perl libstring-random-perl libemail-sender-perl";
const LEMONLDAP_FILES = [
  `${PORTAL}/htdocs/index.psgi`,
  STARMAN,
  "/usr/share/perl5/String/Random.pm",
  "/usr/share/perl5/Email/Sender/Simple.pm",
];

/** The people that it brings, whose passwords are their names, and the groups that they get here. */
export const GROUPS = { dwho: "treasury", rtyler: "readers", msmith: "cooks" };
/** What it calls a sign-in with a password. */
export const PASSWORD_CONTEXT = "loa-1";
const CLIENT = "console";

export type LemonLdap = {
  issuer: string;
  /** What it announces about itself. */
  announced: Record<string, unknown>;
  /** Starts again with another key for its ID tokens; the sessions stay. */
  rotateKey: () => Promise<void>;
  close: () => Promise<void>;
};

type Client = { secret: string; redirectUris: readonly string[] };

/** Starts one on a free port of loopback, with this service as its client. */
export async function startLemonLdap(client: Client): Promise<LemonLdap> {
  const folder = mkdtempSync(join(tmpdir(), "lemonldap-"));
  for (const each of ["conf", "sessions/lock", "persistent/lock"]) mkdirSync(join(folder, each), { recursive: true });
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, "lemonldap-ng.ini"), settingsOf(folder));
  let keys = 0;
  const start = async () => {
    keys += 1;
    writeFileSync(join(folder, "conf/lmConf-1.json"), JSON.stringify(configurationOf(folder, issuer, client, `key-${keys}`)));
    return await run(folder, port, issuer);
  };
  let running = await start();
  return {
    issuer,
    announced: running.announced,
    rotateKey: async () => {
      await stopGroup(running.server);
      running = await start();
    },
    close: async () => {
      await stopGroup(running.server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(folder: string, port: number, issuer: string) {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: "/usr/bin:/bin",
    HOME: folder,
    LLNG_DEFAULTCONFFILE: join(folder, "lemonldap-ng.ini"),
  };
  const server = spawn(STARMAN, ["--workers", "4", "--listen", `127.0.0.1:${port}`, `${PORTAL}/htdocs/index.psgi`], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text: Buffer) => (log = `${log}${text}`.slice(-4_000)));
  for (let tries = 0; tries < 60 && !/exited with status/.test(log); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.status === 200) return { server, announced: (await answer.json()) as Record<string, unknown> };
    if (answer !== null && answer.status >= 500) break;
  }
  await stopGroup(server);
  throw new Error(`LemonLDAP::NG does not start:\n${log}`);
}

/** Ends a program that was started as the leader of its group, with all of the group. */
export async function stopGroup(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  // The master and its workers: it answers SIGTERM with silence as long as a worker holds a connection.
  if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
  await ended;
}

function settingsOf(folder: string): string {
  return `[all]
logLevel = warn
[configuration]
type = File
dirName = ${folder}/conf
[portal]
staticPrefix = /static
templateDir = ${PORTAL}/templates
languages = en
`;
}

function configurationOf(folder: string, issuer: string, { secret, redirectUris }: Client, keyId: string) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const groups = Object.entries(GROUPS).map(([person, group]) => [group, `$uid eq '${person}'`]);
  return {
    cfgNum: 1,
    cfgAuthor: "test",
    cfgDate: String(Math.floor(Date.now() / 1_000)),
    cfgVersion: "2.16.1",
    portal: `${issuer}/`,
    domain: "127.0.0.1",
    cookieName: "lemonldap",
    securedCookie: 0,
    authentication: "Demo",
    userDB: "Same",
    passwordDB: "Null",
    registerDB: "Null",
    demoExportedVars: { cn: "cn", mail: "mail", uid: "uid" },
    whatToTrace: "uid",
    locationRules: { "127.0.0.1": { default: "accept" } },
    exportedHeaders: {},
    exportedVars: {},
    ...stores(folder),
    groups: Object.fromEntries(groups),
    macros: { verified: "1" },
    issuerDBOpenIDConnectActivation: 1,
    issuerDBOpenIDConnectPath: "^/oauth2/",
    oidcServiceMetaDataIssuer: issuer,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServiceIgnoreScopeForClaims: 1,
    oidcServicePrivateKeySig: privateKey.export({ format: "pem", type: "pkcs8" }),
    oidcServicePublicKeySig: publicKey.export({ format: "pem", type: "spki" }),
    oidcServiceKeyIdSig: keyId,
    oidcRPMetaDataOptions: {
      [CLIENT]: {
        oidcRPMetaDataOptionsClientID: CLIENT,
        oidcRPMetaDataOptionsClientSecret: secret,
        oidcRPMetaDataOptionsRedirectUris: redirectUris.join(" "),
        oidcRPMetaDataOptionsIDTokenSignAlg: "RS256",
        oidcRPMetaDataOptionsRequirePKCE: 1,
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsIDTokenForceClaims: 1,
      },
    },
    oidcRPMetaDataExportedVars: {
      [CLIENT]: { email: "mail", name: "cn", groups: "groups;string;always", email_verified: "verified;bool" },
    },
  };
}

function stores(folder: string) {
  const generateModule = "Lemonldap::NG::Common::Apache::Session::Generate::SHA256";
  return {
    globalStorage: "Apache::Session::File",
    globalStorageOptions: { Directory: `${folder}/sessions`, LockDirectory: `${folder}/sessions/lock`, generateModule },
    persistentStorage: "Apache::Session::File",
    persistentStorageOptions: { Directory: `${folder}/persistent`, LockDirectory: `${folder}/persistent/lock` },
    localSessionStorage: "",
  };
}

/** Signs in as one of {@link GROUPS} wherever it asks. Counts in `asked` how often it did. */
export function enterAs(person: string, asked: { times: number } = { times: 0 }): AtProvider {
  return async (browser, url) => {
    let next = url;
    for (let steps = 0; steps < 10 && next.origin === url.origin; steps += 1) {
      let at = next;
      let answer = await browser.atProvider(at);
      for (let forms = 0; forms < 3 && answer.status === 200; forms += 1) {
        const page = await answer.text();
        const { target, fields } = formOf(page, at);
        if (fields.has("password")) {
          asked.times += 1;
          fields.set("user", person);
          fields.set("password", person);
        }
        at = target;
        answer = await browser.atProvider(at, { method: "POST", body: fields });
      }
      const location = answer.headers.get("location");
      if (location === null) throw new Error(`the provider answered ${answer.status}: ${(await answer.text()).slice(0, 2_000)}`);
      next = new URL(location, at);
    }
    return next;
  };
}

function formOf(page: string, at: URL): { target: URL; fields: URLSearchParams } {
  const form = /<form[^>]*>[\s\S]*?<\/form>/.exec(page)?.[0];
  if (form === undefined) throw new Error(`the provider shows no form: ${page.slice(0, 2_000)}`);
  const attribute = (text: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const action = attribute(form, "action");
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    if (attribute(input, "name") !== "" && attribute(input, "type") !== "checkbox")
      fields.append(attribute(input, "name"), attribute(input, "value"));
  }
  return { target: new URL(action === "#" ? at : action, at), fields };
}

/** The first of its files that this machine lacks; null: it can run. */
export function lemonLdapLacks(): string | null {
  return LEMONLDAP_FILES.find((file) => !existsSync(file)) ?? null;
}
