import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

/** Validates the service's answers, and its callbacks, against the published OpenAPI documents. */

export type Exchanged = {
  method: string;
  target: string;
  /** Bytes as text; omitted: not checked. */
  request?: string | undefined;
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
};

const Media = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const Headers = z.record(z.string(), z.looseObject({ required: z.boolean().optional() }));
const ResponseObject = z.looseObject({ headers: Headers.default({}), content: Media.default({}) });
const OperationObject = z.looseObject({
  operationId: z.string(),
  requestBody: z.looseObject({ content: Media }).optional(),
  responses: z.record(z.string(), ResponseObject),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), OperationObject)),
  webhooks: z.record(z.string(), z.unknown()).default({}),
  components: z.looseObject({ responses: z.record(z.string(), ResponseObject) }),
});

/** Headers about the operation: each must be in the document, or absent. */
const HEADERS_OF_OPERATIONS = [
  "location",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "idempotent-replayed",
  "x-total-count",
  "www-authenticate",
  "allow",
];
/** Refusals before the operation is known, on any path. */
const BEFORE_ANY = ["malformed_header", "body_too_large", "internal_error", "temporarily_unavailable"];

/** The requested operation in the document; null: outside of the surfaces. */
export type Found = {
  file: string;
  id: string;
  status: number;
  at: string;
  request: string | null;
  response: z.infer<typeof ResponseObject>;
};

export type Conformance = {
  find(exchanged: Exchanged): Found | null;
  /** The problems, a line each. */
  judge(exchanged: Exchanged): string[];
  judgeCallback(event: string, body: string): string[];
};

export function openConformance(documents: Readonly<Record<string, object>>): Conformance {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const name of ["cidrv4", "cidrv6"]) ajv.addFormat(name, true);
  const read = Object.entries(documents).map(([file, document]) => {
    ajv.addSchema(document, file);
    return { file, document: Document.parse(document), roots: rootsOf(document) };
  });
  const check = checkerOf(ajv);

  function find({ method, target, status }: Exchanged): Found | null {
    const path = target.split("?")[0] ?? "";
    const asked = method === "HEAD" ? "get" : method.toLowerCase();
    const root = rootOf(path);
    for (const { file, document, roots } of read) {
      const matching = Object.keys(document.paths).filter((template) => fits(template, path));
      const fewest = Math.min(...matching.map((template) => template.split("{").length));
      const template = matching.find((each) => each.split("{").length === fewest && document.paths[each]?.[asked] !== undefined);
      if (template !== undefined) {
        const operation = document.paths[template]?.[asked];
        const response = operation?.responses[String(status)];
        if (operation === undefined || response === undefined)
          throw new Error(`${asked} ${template} answered ${status}: the document has no such answer`);
        const at = `${file}#/paths/${pointerStep(template)}/${asked}`;
        const media = Object.keys(operation.requestBody?.content ?? {})[0];
        const request = media === "application/json" ? `${at}/requestBody/content/${pointerStep(media)}/schema` : null;
        return { file, id: operation.operationId, status, at: `${at}/responses/${status}`, request, response };
      }
      if (!roots.has(root)) continue;
      const name = matching.length > 0 ? "MethodNotAllowed" : "RouteNotFound";
      const response = document.components.responses[name];
      if (response !== undefined) return { file, id: name, status, at: `${file}#/components/responses/${name}`, request: null, response };
    }
    return null;
  }

  function judge(exchanged: Exchanged): string[] {
    const { method, target, status, headers, body } = exchanged;
    let found: Found | null;
    try {
      found = find(exchanged);
    } catch (error) {
      return isBeforeAny(body) ? [] : [String(error)];
    }
    if (found === null || (found.at.includes("#/components/") && isBeforeAny(body))) return [];
    const amiss = judgeHeaders(found.response, headers);
    const [media] = Object.keys(found.response.content);
    const mediaType = String(headers["content-type"] ?? "").split(";")[0];
    if (media === undefined) {
      if (body !== "") amiss.push("it has a body");
    } else if (method !== "HEAD") {
      if (mediaType !== media) amiss.push(`its media type is ${mediaType}, not ${media}`);
      else amiss.push(...check(`${found.at}/content/${pointerStep(media)}/schema`, JSON.parse(body)));
    }
    if (status < 300 && exchanged.request && found.request !== null && found.id !== "echo") {
      amiss.push(...check(found.request, JSON.parse(exchanged.request)).map((line) => `the request that was accepted: ${line}`));
    }
    return amiss.map((line) => `${method} ${target} (${found.id}) answered ${status}: ${line}`);
  }

  return {
    find,
    judge,
    judgeCallback(event, body) {
      const holder = read.find(({ document }) => Object.hasOwn(document.webhooks, event));
      if (holder === undefined) return [`no document has a webhook ${event}`];
      const at = `${holder.file}#/webhooks/${event}/post/requestBody/content/${pointerStep("application/json")}/schema`;
      return check(at, JSON.parse(body)).map((line) => `callback ${event}: ${line}`);
    },
  };
}

/** Holds a value against the schema at that address, and says what is amiss. */
function checkerOf(ajv: Ajv2020): (at: string, value: unknown) => string[] {
  const compiled = new Map<string, ValidateFunction>();
  return (at, value) => {
    const validate = compiled.get(at) ?? ajv.compile({ $ref: at });
    compiled.set(at, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The event of a callback's body; without one it is the end of a settlement. */
export function eventOf(body: string): string {
  const { event, status } = z.looseObject({ event: z.string().optional(), status: z.string() }).parse(JSON.parse(body));
  return event ?? `settlement.${status}`;
}

function judgeHeaders(response: z.infer<typeof ResponseObject>, headers: Exchanged["headers"]): string[] {
  const documented = new Map(Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), header.required === true]));
  return [
    ...[...documented].filter(([name, required]) => required && headers[name] === undefined).map(([name]) => `it lacks the header ${name}`),
    ...HEADERS_OF_OPERATIONS.filter((name) => headers[name] !== undefined && !documented.has(name)).map(
      (name) => `the document does not name its header ${name}`,
    ),
  ];
}

function isBeforeAny(body: string): boolean {
  return BEFORE_ANY.some((code) => body.includes(`"code":"${code}"`));
}

function rootsOf(document: object): Set<string> {
  return new Set(Object.keys(Document.parse(document).paths).map(rootOf));
}

function rootOf(path: string): string {
  return /^\/(?:api\/)?[^/]*/.exec(path)?.[0] ?? "";
}

function fits(template: string, path: string): boolean {
  const wanted = template.split("/");
  const steps = path.split("/");
  return (
    wanted.length === steps.length && wanted.every((step, index) => (step.startsWith("{") ? steps[index] !== "" : step === steps[index]))
  );
}

/** A key as a JSON pointer in a URI's fragment names it. */
function pointerStep(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}
