import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { READERS, reads } from "#server/config/readers.ts";
import { VARIABLES } from "#server/config/variables.ts";
import { codeOf, livePackages } from "./contents.ts";

/** No image is built here: this checks the files as far as possible without an engine. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const list = z.array(z.string()).default([]);
const Service = z.strictObject({
  image: z.string(),
  build: z.literal(".").optional(),
  restart: z.enum(["unless-stopped", "no"]),
  init: z.literal(true).optional(),
  read_only: z.boolean().default(false),
  tmpfs: list,
  cap_drop: list,
  security_opt: list,
  pids_limit: z.number().optional(),
  shm_size: z.string().optional(),
  user: z.string().optional(),
  group_add: list,
  command: list,
  env_file: list,
  environment: z.record(z.string(), z.string()).optional(),
  secrets: list,
  volumes: list,
  ports: list,
  networks: list,
  stop_grace_period: z.string().optional(),
  healthcheck: z.record(z.string(), z.unknown()).optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(["service_healthy", "service_completed_successfully"]) }))
    .default({}),
});
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});
const compose = Compose.parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);
const OURS = ["migrate", "signer", "web-1", "web-2", "worker-1", "worker-2"];

test("compose.yaml names services, networks, volumes and secrets that are there, two web processes, two workers and a signer behind a proxy", () => {
  expect(Object.keys(compose.services).sort()).toEqual(["database", "proxy", ...OURS].sort());
  for (const [name, { networks, secrets, depends_on, volumes }] of services) {
    for (const network of networks) expect(Object.keys(compose.networks), name).toContain(network);
    for (const secret of secrets) expect(Object.keys(compose.secrets), name).toContain(secret);
    for (const other of Object.keys(depends_on)) expect(Object.keys(compose.services), name).toContain(other);
    for (const volume of volumes) {
      const [from = ""] = volume.split(":");
      // Settings are the operator's to write; whatever else lies in the project is there.
      if (!from.startsWith("./")) expect(Object.keys(compose.volumes)).toContain(from);
      else if (!from.startsWith("./settings/")) expect(existsSync(join(ROOT, from)), volume).toBe(true);
    }
  }
});

test("every process of ours runs without root, writes nothing, waits for the migrations, and runs what the image has", () => {
  const code = codeOf(ROOT);
  for (const [name, service] of services.filter(([name]) => OURS.includes(name))) {
    const [user] = (service.user ?? "0").split(":");
    expect(Number(user), name).toBeGreaterThan(10_000);
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    const script = service.command.find((word) => word.endsWith(".ts"));
    if (script !== undefined) expect(code, name).toContain(script);
    if (name !== "migrate") expect(service.depends_on).toMatchObject({ migrate: { condition: "service_completed_successfully" } });
    const files = service.env_file.map((file) => file.replace(/^.*\/(\w+)\.env$/, "$1"));
    const own = name === "migrate" ? ["migrate"] : ["service", name.replace(/-\d$/, "")];
    expect(files, name).toEqual(own);
  }
  expect(new Set(["migrate", "web-1", "worker-1", "signer"].map((name) => compose.services[name]?.user)).size).toBe(4);
});

test("whom something waits for until it is healthy has a check of its own, because an OCI archive keeps none of the image's", () => {
  const awaited = services.flatMap(([, { depends_on }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) => (condition === "service_healthy" ? [name] : [])),
  );
  expect(awaited).toContain("web-1");
  for (const name of awaited) expect(compose.services[name]?.healthcheck, name).toMatchObject({ test: expect.arrayContaining(["CMD"]) });
  const [check = ""] = /^HEALTHCHECK .*$/m.exec(read("Dockerfile")) ?? [];
  const { test: own, ...times } = compose.services["web-1"]?.healthcheck ?? {};
  expect(check).toContain(`CMD ${JSON.stringify((own as string[]).slice(1)).replaceAll(",", ", ")}`);
  for (const [name, value] of Object.entries(times)) expect(check).toContain(`--${name.replace("_", "-")}=${value}`);
});

test("the wallets' keys are seen by the signer alone, its socket by the workers, and the database by nobody outside", () => {
  const reaching = services.filter(([, { volumes }]) => volumes.some((volume) => volume.startsWith("signer:"))).map(([name]) => name);
  expect(reaching.sort()).toEqual(["signer", "worker-1", "worker-2"]);
  const [, group] = (compose.services.signer?.user ?? "").split(":");
  expect(compose.services["worker-1"]?.group_add).toEqual([group]);
  expect(read("Dockerfile")).toContain(`install -d -m 0750 -o ${group} -g ${group} /run/settlement-signer`);
  // Common secrets that it does not read.
  const unset = (compose.services.signer?.command ?? []).filter((_, index, words) => words[index - 1] === "-u");
  const secret = Object.entries(READERS).flatMap(([name, reader]) =>
    reader === "both" && !reads("signer", name) && /KEYS$|SECRET|FORMER|HEADERS/.test(name) ? [name] : [],
  );
  expect(unset).toEqual(secret);
  const keys = services.filter(([, { volumes }]) => volumes.some((volume) => volume.includes("keys"))).map(([name]) => name);
  expect(keys).toEqual(["signer"]);
  expect(compose.networks.inner).toEqual({ internal: true });
  expect(compose.services.database).toMatchObject({ networks: ["inner"], ports: [] });
  expect(compose.services.proxy).toMatchObject({ networks: ["outer"] });
  for (const file of [".gitignore", ".dockerignore"])
    expect(read(file).split("\n"), file).toContainEqual(expect.stringMatching(/^\/?settings\/?$/));
});

test("the database shows a certificate, which live mode requires of another host, and anyone who verifies it sees the authority", () => {
  const { command, volumes } = Service.parse(compose.services.database);
  expect(command).toContain("ssl=on");
  const [, at = ""] = volumes.find((volume) => volume.startsWith("./settings/database-tls:"))?.split(":") ?? [];
  const named = command.flatMap((word) => /^ssl_\w+_file=(.*)$/.exec(word)?.[1] ?? []);
  expect(named).toEqual([`${at}/certificate.pem`, `${at}/key.pem`]);
  for (const name of OURS) expect(compose.services[name]?.volumes, name).toContain("./settings/files:/etc/settlement-service:ro");
});

test("the Dockerfile copies, runs and sets what is there, on the Node that the packages bring too", () => {
  const text = read("Dockerfile").replaceAll("\\\n", " ");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.filter((line) => !/^(?:ARG|FROM|WORKDIR|RUN|COPY|ENV|USER|EXPOSE|STOPSIGNAL|HEALTHCHECK|CMD) /.test(line))).toEqual([]);
  expect(text).toContain(`ARG NODE_IMAGE=node:${livePackages(ROOT).runtime.version}-bookworm-slim@sha256:`);
  const code = codeOf(ROOT);
  const scripts = [...text.matchAll(/"((?:server|packaging|scripts)\/[\w./-]+\.ts)"/g)].map(([, path = ""]) => path);
  expect(scripts).toEqual(["packaging/check-health.ts", "server/http/main.ts"]);
  for (const script of scripts) expect(code).toContain(script);
  const set = (/^ENV (.*)$/m.exec(text)?.[1] ?? "").split(" ").map((one) => one.split("=")[0] ?? "");
  const foreign = set.filter((name) => !/^(?:NODE_|NEXT_TELEMETRY)/.test(name) && !(name in VARIABLES.shape));
  expect(foreign).toEqual([]);
  expect(Object.keys(z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json"))).scripts)).toContain(
    "build",
  );
  expect(/^USER (\d+):\d+$/m.exec(text)?.[1]).toBe("10001");
});

test("the proxy asks web processes that are there, and believes no client's word of who it is", () => {
  const text = read("packaging/container/nginx.conf");
  const asked = [...text.matchAll(/^\s*server ([\w-]+):3000 /gm)].map(([, name]) => name);
  expect(asked).toEqual(["web-1", "web-2"]);
  // A replaced container has another address: nginx resolves it again, which needs a zone, and nginx 1.27.3.
  expect([...text.matchAll(/:3000 resolve /g)]).toHaveLength(2);
  expect(text).toMatch(/resolver 127\.0\.0\.11 valid=1s/);
  expect(text).toContain("zone web ");
  expect(compose.services.proxy?.image).toMatch(/^nginx:1\.(?:2[89]|[3-9]\d)/);
  expect(text).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
  expect(text).not.toContain("$proxy_add_x_forwarded_for");
});
