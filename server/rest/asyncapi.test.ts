import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { EVENT_TYPE_NAMES } from "#domain/event.ts";
import { answerAsyncApi } from "./openapi.ts";

const ABOUT = { baseUrl: "https://api.example.com", brand: "Acme", mode: "live" } as const;
/** The published schema of AsyncAPI 3.0. */
const SCHEMA = join(import.meta.dirname, "..", "..", "testing", "asyncapi-3.0.0.json");

it("the AsyncAPI document is valid AsyncAPI 3.0, describes each type of event once, and each reference in it leads somewhere", async () => {
  const answer = answerAsyncApi("events.json", ABOUT);
  expect(answer.status).toBe(200);
  const document = JSON.parse(await answer.text());
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));
  expect([isValid(document), isValid.errors]).toEqual([true, null]);
  expect([isValid({ ...document, channels: { webhook: { adress: "x" } } }), isValid.errors?.length]).not.toEqual([true, 0]);
  const found = (path: string) => path.split("/").reduce((at, name) => Object(at)[name], document);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = ""]) => path);
  expect(references.filter((path) => found(path) === undefined)).toEqual([]);
  for (const channel of ["webhook", "amqp", "nats"]) expect(Object.keys(document.channels[channel].messages)).toEqual(EVENT_TYPE_NAMES);
  expect(JSON.stringify(document)).toContain("X-Acme-Signature");
  expect(parse(await answerAsyncApi("events.yaml", ABOUT).text())).toEqual(document);
  expect(answerAsyncApi("settlement.json", ABOUT).status).toBe(404);
});
