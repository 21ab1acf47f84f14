import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PARTNER_OPERATIONS } from "#contract/partner/operations.ts";
import * as batchOperations from "#contract/settlement/v1/batch-operations.ts";
import * as settlementOperations from "#contract/settlement/v1/operations.ts";
import { CALLBACK_EVENTS } from "#domain/callback.ts";
import { answerOpenApi, OPENAPI_DOCUMENTS } from "./openapi.ts";

const ABOUT = { baseUrl: "https://api.example.com", brand: "Acme", mode: "sandbox" } as const;

/** Specification, part 2: "Other named schemas on the partner-management surface", and the two records. */
const NAMES = `Partner PartnerRole PartnerCreate CryptoCurrency FiatCurrency ExchangeRate ApiKeyCreate ApiKeyView AuthCreate AuthView Member
  MemberCreate MemberUpdate EthTx LoginResponse Body_login_for_access_token_login_post SafeInfo TopupRequestCreate TopupRequestResponse
  WithdrawCreate WithdrawPartnerCreate WithdrawPartnerResponse WithdrawRequestResponse TransactionListResponse UpdateChargingFee
  HTTPValidationError ValidationError`.split(/\s+/);

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
async function read(file: string): Promise<any> {
  const answer = answerOpenApi(file, ABOUT);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  return JSON.parse(await answer.text());
}

/**
 * The type that OpenAPI Generator and oapi-codegen give a number in Go, by the tables of their type mapping: `AbstractGoCodegen.java` and
 * `schema.go`. Neither generator runs here; where the two differ, this is the narrower type.
 */
function goTypeOf(type: "number" | "integer", format: unknown): "float32" | "float64" | "int32" | "int64" {
  if (type === "number") return format === "double" ? "float64" : "float32";
  return format === "int64" ? "int64" : "int32";
}

/** Whether an amount of USDT, or one of 30 million KES in minor units, is still the same after a program has read and written it. */
function keepsMoney(type: ReturnType<typeof goTypeOf>): boolean {
  if (type === "float32" || type === "float64") return (type === "float32" ? Math.fround(7682.938826) : 7682.938826) === 7682.938826;
  return (type === "int32" ? 3_000_000_000 | 0 : 3_000_000_000) === 3_000_000_000;
}

describe.each(Object.keys(OPENAPI_DOCUMENTS))("the OpenAPI document %s", (file) => {
  it("is valid OpenAPI 3.1, and every reference in it leads somewhere", async () => {
    const document = await read(file);
    const validator = new Validator();
    const verdict = await validator.validate(document);
    expect(verdict.errors).toBeUndefined();
    expect([verdict.valid, validator.version]).toEqual([true, "3.1"]);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.filter((name) => name === undefined || !(name in document.components.schemas))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/\$defs|inline /);
  });

  it("gives every number the format by which generated clients read it exactly", async () => {
    const lost: string[] = [];
    const look = (node: unknown, path: string) => {
      if (typeof node !== "object" || node === null) return;
      const { type, format } = { type: undefined, format: undefined, ...node };
      for (const each of [type].flat())
        if ((each === "number" || each === "integer") && !keepsMoney(goTypeOf(each, format))) lost.push(`${path}: ${each}, ${format}`);
      for (const [key, value] of Object.entries(node)) if (key !== "example" && key !== "examples") look(value, `${path}/${key}`);
    };
    look(await read(file), "");
    expect(lost).toEqual([]);
  });

  it("closes every request and opens every answer", async () => {
    const document = await read(file);
    const resolve = (schema: { $ref?: string }) =>
      schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
    for (const [path, methods] of Object.entries<Record<string, never>>(document.paths)) {
      for (const operation of Object.values<{ requestBody?: never; responses: never; operationId: string }>(methods)) {
        for (const { schema } of Object.values<{ schema: object }>(Object(operation.requestBody).content ?? {})) {
          const body = resolve(schema);
          // Additional fields of a provider are ignored.
          if (!path.endsWith("-fiat/callback") && body.type === "object")
            expect([operation.operationId, body.additionalProperties]).toEqual([operation.operationId, false]);
        }
        for (const response of Object.values<{ content?: object }>(operation.responses)) {
          for (const { schema } of Object.values<{ schema: object }>(Object(response.content))) {
            expect([operation.operationId, JSON.stringify(resolve(schema))]).not.toEqual([
              operation.operationId,
              expect.stringContaining('"additionalProperties":false'),
            ]);
          }
        }
      }
    }
  });
});

describe("the documents", () => {
  it("name the bodies as the specification does", async () => {
    const { components } = await read("partner.json");
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(NAMES));
    expect(components.schemas.Partner.properties.roles.items).toEqual({ $ref: "#/components/schemas/PartnerRole" });
    expect(components.schemas.HTTPValidationError.properties.detail.items).toEqual({ $ref: "#/components/schemas/ValidationError" });
  });

  it("honour an Idempotency-Key on every POST of a caller that is known, and nowhere else", async () => {
    for (const file of ["partner.json", "settlement.json"]) {
      const { paths } = await read(file);
      for (const [path, methods] of Object.entries<Record<string, { parameters?: { name: string }[]; responses: object }>>(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const honours = operation.parameters?.some(({ name }) => name === "Idempotency-Key") === true;
          const known = !/^\/login$|-fiat\/callback$|^\/sandbox|^\/proofs|^\/leaked-keys/.test(path);
          expect([method, path, honours]).toEqual([method, path, method === "post" && known]);
          const replayed = JSON.stringify(operation.responses).includes("Idempotent-Replayed");
          expect([path, replayed]).toEqual([path, honours]);
        }
      }
    }
  });

  it("have every operation once, under an id of its own", async () => {
    for (const [file, operations] of [
      ["partner.json", PARTNER_OPERATIONS],
      ["settlement.json", [...Object.values(settlementOperations), ...Object.values(batchOperations)]],
    ] as const) {
      const { paths } = await read(file);
      const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId),
      );
      expect(new Set(ids).size).toBe(ids.length);
      for (const { id, method, path } of operations) expect(paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it("say how each operation is authenticated", async () => {
    const { paths } = await read("partner.json");
    expect(paths["/partners/current"].get.security).toEqual([{ apiKey: [] }]);
    expect(paths["/partners"].post.security).toEqual([{ apiKey: [] }, { operator: [] }]);
    expect(paths["/login"].post.security).toEqual([]);
    expect(Object.keys(paths["/login"].post.requestBody.content)).toEqual(["application/x-www-form-urlencoded"]);
    expect(paths["/partners/transactions/topup-fiat/callback"].post.security).toEqual([{ provider: [] }]);
    const { components } = await read("settlement.json");
    expect(components.securitySchemes.nonce.name).toBe("X-Acme-Nonce");
  });

  it("describe every callback with an example that matches its schema, and how it is signed", async () => {
    const webhooks = { ...(await read("settlement.json")).webhooks, ...(await read("partner.json")).webhooks };
    expect(Object.keys(webhooks).sort()).toEqual([...CALLBACK_EVENTS].sort());
    for (const { post } of Object.values<{ post: { parameters: { name: string }[] } }>(webhooks))
      expect(post.parameters.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["webhook-id", "webhook-signature", "X-Acme-Signature"]),
      );
  });

  it("show examples that are as their schemas say: of every request and good answer but those that no story makes", async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    for (const name of ["cidrv4", "cidrv6"]) ajv.addFormat(name, true);
    const without: string[] = [];
    for (const file of Object.keys(OPENAPI_DOCUMENTS)) {
      const document = await read(file);
      ajv.addSchema(document, file);
      const validate = (path: (string | number)[], media: string, example: unknown) => {
        const steps = [...path, "content", media, "schema"].map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
        if (!ajv.validate({ $ref: `${file}#/${steps.map(encodeURIComponent).join("/")}` }, example))
          expect([path, example, ajv.errorsText()]).toEqual([path, example, "valid"]);
      };
      const look = (path: (string | number)[], content: Record<string, { example?: unknown; schema: object }> = {}) => {
        for (const [media, { example }] of Object.entries(content)) {
          if (example === undefined) without.push(path.slice(1).join(" "));
          else validate(path, media, example);
        }
      };
      const lookAtErrors = (path: (string | number)[], content: Record<string, { examples?: Record<string, { $ref: string }> }> = {}) => {
        for (const [media, { examples = {} }] of Object.entries(content))
          for (const { $ref } of Object.values(examples))
            validate(path, media, document.components.examples[$ref.split("/").at(-1) ?? ""].value);
      };
      for (const [path, methods] of Object.entries<Record<string, never>>(document.paths)) {
        for (const [method, { requestBody, responses }] of Object.entries<{
          requestBody?: { content: never };
          responses: Record<string, { content: never }>;
        }>(methods)) {
          if (path !== "/api/v1/echo") look(["paths", path, method, "requestBody"], requestBody?.content);
          for (const [status, { content }] of Object.entries(responses))
            if (status < "300") look(["paths", path, method, "responses", status], content);
            else lookAtErrors(["paths", path, method, "responses", status], content);
        }
      }
      for (const [event, { post }] of Object.entries<{ post: { requestBody: { content: never } } }>(document.webhooks ?? {}))
        look(["webhooks", event, "post", "requestBody"], post.requestBody.content);
    }
    // Operations that a second person completes, and a form.
    expect(without).toEqual(["/partners/api-keys post responses 202", "/login post requestBody", "/admins post responses 202"]);
  });

  it("say of each error which codes it may have, and no other", async () => {
    const { paths, components } = await read("settlement.json");
    const { 409: conflict, 429: tooMany } = paths["/api/v1/settlements/{tx_id}/confirm"].post.responses;
    const { schema, examples } = conflict.content["application/problem+json"];
    expect(schema.allOf[1].properties.code.enum).toEqual(
      expect.arrayContaining(["approval_pending", "quote_changed", "idempotency_in_progress"]),
    );
    expect(schema.allOf[1].properties.code.enum).not.toContain("quote_expired");
    expect(Object.keys(examples)).toContain("quote_changed");
    expect(Object.keys(tooMany.headers)).toEqual(expect.arrayContaining(["Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-Id"]));
    expect(components.schemas.ErrorCode.enum).toContain("quote_expired");
    expect(Object.keys(paths["/api/v1/settlements"].post.responses[201].headers)).toContain("Location");
  });

  it("of the sandbox is the sandbox's alone", () => {
    expect(answerOpenApi("sandbox.json", { ...ABOUT, mode: "live" }).status).toBe(404);
    expect(answerOpenApi("settlement.json", { ...ABOUT, mode: "live" }).status).toBe(200);
  });

  it.each(Object.keys(OPENAPI_DOCUMENTS))(
    "%s is there as YAML too, with the same content for readers of both its versions",
    async (file) => {
      const answer = answerOpenApi(file.replace(/json$/, "yaml"), ABOUT);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/yaml"]);
      const text = await answer.text();
      for (const version of ["1.2", "1.1"] as const) expect(parse(text, { version })).toEqual(await read(file));
    },
  );

  it("of the sandbox is the sandbox's alone as YAML too", () => {
    expect(answerOpenApi("sandbox.yaml", { ...ABOUT, mode: "live" }).status).toBe(404);
    expect(answerOpenApi("settlement.yaml", { ...ABOUT, mode: "live" }).status).toBe(200);
  });

  it("that do not exist are 404", () => {
    for (const file of ["other.json", "other.yaml", "settlement", "settlement.json.yaml", ".yaml", "toString", "__proto__"])
      expect(answerOpenApi(file, ABOUT).status).toBe(404);
  });
});
