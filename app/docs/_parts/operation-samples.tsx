import recorded from "#contract/openapi-examples.json" with { type: "json" };
import type { Operation } from "#contract/operation.ts";
import { signedCurl } from "#contract/signed-curl.ts";
import samples from "../_content/operation-samples.json" with { type: "json" };
import { Code } from "./blocks.tsx";
import type { Site } from "./site.ts";
import { Tabs } from "./tabs.tsx";

/** In the order of the tabs. */
const SDKS = [
  { name: "TypeScript", key: "typescript", language: "ts" },
  { name: "Python", key: "python", language: "python" },
  { name: "Go", key: "go", language: "go" },
  { name: "PHP", key: "php", language: "php" },
] as const;

type Sample = Record<(typeof SDKS)[number]["key"], string> & {
  request: { target: string; query: Record<string, string | number> | null; body: object | null };
};

const SAMPLES: Readonly<Record<string, Sample | undefined>> = samples;

/** The request in five languages, and the recorded answer. Nothing for what a provider calls. */
export function OperationSamples({ operation, site }: { operation: Operation; site: Site }) {
  const { id } = operation;
  const sample = SAMPLES[id];
  const answer = answerOf(id);
  return (
    <>
      {sample === undefined ? null : (
        <Tabs label={`Programming language of: ${id}`} names={["cURL", ...SDKS.map(({ name }) => name)]}>
          <Code label={`${id}: cURL`} language="bash" text={curl(site, operation, sample.request)} />
          {SDKS.map(({ name, key, language }) => (
            <Code key={key} label={`${id}: ${name}`} language={language} text={sample[key]} />
          ))}
        </Tabs>
      )}
      {answer === null ? null : <Code label={`Answer of ${id}: ${answer.status}`} language="json" text={answer.text} />}
    </>
  );
}

function curl({ baseUrl, brand }: Site, { method, path, caller }: Operation, { target, query, body }: Sample["request"]): string {
  const asked = query === null ? "" : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const text = body === null ? undefined : JSON.stringify(body, null, 2);
  if (path.startsWith("/api/v1/")) {
    return signedCurl({ baseUrl, brand, method, path: target, query: asked, ...(text === undefined ? {} : { body: text }) });
  }
  const key = caller === "anybody" ? [] : [`-H "apiKey: $${caller === "operator" ? "OPERATOR_API_KEY" : "API_KEY"}"`];
  const more = text === undefined ? [] : ['-H "Content-Type: application/json"', `--data-raw '${text.replaceAll("'", "'\\''")}'`];
  const how = method === "GET" ? "" : ` -X ${method}`;
  return [`curl -sS${how} "${baseUrl}${target}${asked === "" ? "" : `?${asked}`}"`, ...key, ...more].join(" \\\n  ");
}

/** The recorded answer of success. Of a list, the first items say enough. */
function answerOf(id: string): { status: string; text: string } | null {
  const answers = [recorded.settlement.answers, recorded.partner.answers].map((each: Record<string, Record<string, unknown>>) => each[id]);
  const [found] = answers.flatMap((each) => Object.entries(each ?? {}));
  if (found === undefined || found[1] === null) return null;
  return { status: found[0], text: JSON.stringify(shortened(found[1]), null, 2) };
}

const MOST_ITEMS = 2;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = value.every((each) => typeof each === "object");
    return (isOfObjects ? value.slice(0, MOST_ITEMS) : value).map(shortened);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}
