import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { READERS, reads } from "#server/config/readers.ts";
import { codeOf } from "./contents.ts";

/** No cluster is here. This checks the manifests against the service and against compose.yaml, and refuses any word that they should not have. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const KUBERNETES = join(ROOT, "ops/kubernetes");
/** What a web process needs after it has drained: compose.yaml says the same. */
const UNDER_WAY_SECONDS = 20;

const words = z.record(z.string(), z.string());
const Security = z.strictObject({
  runAsUser: z.number().optional(),
  runAsGroup: z.number().optional(),
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
});
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }).optional(),
  tcpSocket: z.strictObject({ port: z.string() }).optional(),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number(),
});
const Container = z.strictObject({
  name: z.string(),
  image: z.literal("settlement-service"),
  command: z.array(z.string()),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })).default([]),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
  lifecycle: z.strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) }).optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string(), memory: z.string() }),
    limits: z.strictObject({ memory: z.string() }),
  }),
  securityContext: Security,
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), subPath: z.string().optional(), readOnly: z.literal(true).optional() }),
  ),
});
const Volume = z.strictObject({
  name: z.string(),
  emptyDir: z.strictObject({ medium: z.literal("Memory").optional(), sizeLimit: z.string() }).optional(),
  secret: z.strictObject({ secretName: z.string(), defaultMode: z.number() }).optional(),
});
const Template = z.strictObject({
  metadata: z.strictObject({ labels: words }),
  spec: z.strictObject({
    restartPolicy: z.literal("Never").optional(),
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number().optional(),
    topologySpreadConstraints: z.array(z.looseObject({ labelSelector: z.strictObject({ matchLabels: words }) })).default([]),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().optional(),
      runAsGroup: z.number().optional(),
      fsGroup: z.number(),
      supplementalGroups: z.array(z.number()).optional(),
      seccompProfile: z.strictObject({ type: z.literal("RuntimeDefault") }),
    }),
    containers: z.array(Container),
    volumes: z.array(Volume),
  }),
});
const named = z.looseObject({ name: z.string(), labels: words.default({}) });
const selector = z.strictObject({ matchLabels: words });
const Work = z.strictObject({
  replicas: z.number(),
  serviceName: z.string().optional(),
  selector,
  strategy: z.unknown().optional(),
  template: Template,
  volumeClaimTemplates: z.array(z.looseObject({ metadata: z.strictObject({ name: z.string() }) })).default([]),
});
const object = <Api extends string, Kind extends string, Spec extends z.ZodType>(apiVersion: Api, kind: Kind, spec: Spec) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata: named, spec });
const Manifest = z.discriminatedUnion("kind", [
  z.strictObject({ apiVersion: z.literal("v1"), kind: z.literal("Namespace"), metadata: named }),
  object("apps/v1", "Deployment", Work),
  object("apps/v1", "StatefulSet", Work),
  object("batch/v1", "Job", z.strictObject({ backoffLimit: z.number(), template: Template })),
  object(
    "v1",
    "Service",
    z.strictObject({ selector: words, ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })) }),
  ),
  object("policy/v1", "PodDisruptionBudget", z.strictObject({ minAvailable: z.number(), selector })),
  object(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    z.strictObject({
      podSelector: selector.partial(),
      policyTypes: z.array(z.enum(["Ingress", "Egress"])),
      ingress: z.array(z.looseObject({ ports: z.array(z.strictObject({ protocol: z.string(), port: z.number() })) })).default([]),
      egress: z.array(z.looseObject({ ports: z.array(z.strictObject({ protocol: z.string(), port: z.number() })) })).default([]),
    }),
  ),
]);
type Manifest = z.infer<typeof Manifest>;
type Pod = z.infer<typeof Template>;

const Kustomization = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: z.literal("settlement"),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.literal("settlement-service"), newName: z.string(), newTag: z.string() })),
});

const folders = ["base", "migrate"] as const;
const fileOf = (folder: string, name: string) => readFileSync(join(KUBERNETES, folder, name), "utf8");
const kustomized = (folder: string) => Kustomization.parse(parse(fileOf(folder, "kustomization.yaml")));
const manifests: Manifest[] = folders.flatMap((folder) =>
  kustomized(folder).resources.flatMap((name) =>
    parseAllDocuments(fileOf(folder, name)).map((document) => {
      expect(document.errors, name).toEqual([]);
      return Manifest.parse(document.toJS());
    }),
  ),
);
const of = <Kind extends Manifest["kind"]>(kind: Kind) =>
  manifests.filter((manifest): manifest is Extract<Manifest, { kind: Kind }> => manifest.kind === kind);
const pods: Pod[] = [...of("Deployment"), ...of("StatefulSet"), ...of("Job")].map(({ spec }) => spec.template);
const podOf = (part: string) => pods.find(({ metadata }) => metadata.labels.part === part) as Pod;
const containers = pods.flatMap(({ spec }) => spec.containers);
const [web] = podOf("web").spec.containers as [z.infer<typeof Container>];
const fits = (labels: Record<string, string>, wanted: Record<string, string> = {}) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);
const processOf = (name: string) => name.replace(/-\d$/, "");

describe("the kustomize base", () => {
  it("names every file that is there", () => {
    for (const folder of folders)
      expect(readdirSync(join(KUBERNETES, folder)).toSorted()).toEqual([...kustomized(folder).resources, "kustomization.yaml"].toSorted());
  });

  it("runs the programs of the image, as the users of compose.yaml, with settings that the process reads", () => {
    const Compose = z.looseObject({
      services: z.record(z.string(), z.looseObject({ user: z.string().optional(), command: z.array(z.string()).optional() })),
    });
    const { services } = Compose.parse(parse(readFileSync(join(ROOT, "compose.yaml"), "utf8"), { merge: true }));
    const code = codeOf(ROOT);
    expect(containers.map(({ name }) => name).toSorted()).toEqual(["migrate", "signer", "web", "worker-1", "worker-2"]);
    for (const pod of pods)
      for (const { name, command, env, envFrom, securityContext } of pod.spec.containers) {
        const kind = processOf(name);
        const twin = services[name === "web" ? "web-1" : name];
        expect(code, name).toContain(command.find((word) => word.endsWith(".ts")));
        if (twin?.command !== undefined) expect(command, name).toEqual(twin.command);
        const user = `${securityContext.runAsUser ?? pod.spec.securityContext.runAsUser}:${securityContext.runAsGroup ?? pod.spec.securityContext.runAsGroup}`;
        expect(user, name).toBe(twin?.user);
        expect(envFrom.map(({ secretRef }) => secretRef.name)).toEqual(
          kind === "migrate" ? ["settlement-migrate"] : ["settlement-service", `settlement-${kind}`],
        );
        for (const { name: variable } of env) {
          expect(READERS, variable).toHaveProperty(variable);
          if (kind !== "migrate") expect(reads(kind as "web" | "worker" | "signer", variable), `${variable} of ${name}`).toBe(true);
        }
      }
  });

  it("mounts only volumes that are there, gives keys and journal to the signer alone, and its socket to it and the workers", () => {
    for (const pod of pods) {
      const claims = of("StatefulSet")
        .filter(({ spec }) => spec.template === pod)
        .flatMap(({ spec }) => spec.volumeClaimTemplates.map(({ metadata }) => metadata.name));
      const there = [...pod.spec.volumes.map(({ name }) => name), ...claims];
      for (const { name, volumeMounts } of pod.spec.containers) {
        expect(there, name).toEqual(expect.arrayContaining(volumeMounts.map((mount) => mount.name)));
        const own = volumeMounts.map((mount) => mount.name).filter((mount) => !["temporary", "files"].includes(mount));
        expect(own, name).toEqual({ signer: ["keys", "journal", "socket"], worker: ["socket"] }[processOf(name)] ?? []);
      }
    }
    expect(of("StatefulSet").map(({ spec }) => spec.replicas)).toEqual([1]);
  });

  it("asks the web process at the image's port and at a path that is there, and gives it time to drain", () => {
    const port = Number(/ PORT=(\d+)/.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))?.[1]);
    expect(web.ports).toEqual([{ name: "http", containerPort: port }]);
    for (const probe of [web.startupProbe, web.readinessProbe]) expect(probe?.httpGet).toEqual({ path: "/health", port: "http" });
    expect(readdirSync(join(ROOT, "app"), { recursive: true })).toContain("(system)/health/route.ts");
    expect(of("Service").map(({ spec }) => [spec.ports[0]?.targetPort, spec.selector])).toEqual([["http", podOf("web").metadata.labels]]);
    const drains = Number(web.env.find(({ name }) => name === "DRAIN_SECONDS")?.value);
    const [, before] = web.lifecycle?.preStop.exec.command ?? [];
    expect(podOf("web").spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(before) + drains + UNDER_WAY_SECONDS);
    const { periodSeconds = 0, failureThreshold = 0 } = web.readinessProbe ?? {};
    expect(periodSeconds * failureThreshold, "the balancer sees that it drains").toBeLessThan(drains);
  });

  it("selects its own pods: the deployment, the budget, the service and a policy for each part", () => {
    for (const { spec } of [...of("Deployment"), ...of("StatefulSet")])
      expect(fits(spec.template.metadata.labels, spec.selector.matchLabels)).toBe(true);
    const [budget] = of("PodDisruptionBudget");
    const [deployment] = of("Deployment");
    expect(budget?.spec.selector).toEqual(deployment?.spec.selector);
    expect(budget?.spec.minAvailable).toBeLessThan(deployment?.spec.replicas ?? 0);
    const policies = of("NetworkPolicy").map(({ spec }) => spec);
    expect(policies[0]).toMatchObject({ podSelector: {}, ingress: [], egress: [] });
    for (const { metadata } of pods) {
      const own = policies.filter(({ podSelector }) => podSelector.matchLabels && fits(metadata.labels, podSelector.matchLabels));
      expect(own, metadata.labels.part).toHaveLength(1);
      expect(own[0]?.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(
        metadata.labels.part === "web" ? [web.ports[0]?.containerPort] : [],
      );
    }
  });
});
