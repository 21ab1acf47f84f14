/** What the SDKs for Go and PHP write for each operation: the table of methods, with what the OpenAPI documents say. */
import type { Route } from "./openapi-types.ts";
import { METHODS, type NamedMethod, WITHOUT_METHOD } from "./sdk-methods.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/** A method with all that its SDKs need to write it. `group`: null for a method of the client itself. */
export type Method = Omit<NamedMethod, "as" | "body" | "result"> & {
  route: Route;
  group: string | null;
  name: string;
  params: string[];
  /** Of the members that are offered. */
  query: Json[];
  queryName: string;
  /** Null: it takes none. Without properties: it takes an empty object. */
  body: Json | null;
  bodyName: string | undefined;
  /** Null: the answer has nothing to read. */
  result: Json | null;
  resultName: string | undefined;
};

/** @throws Error where an operation has no method, or a method no operation */
export function methodsOf(documents: readonly Json[], routes: readonly Route[]): Method[] {
  const ids = routes.map(({ id }) => id).filter((id) => !WITHOUT_METHOD.includes(id));
  const amiss = [...ids.filter((id) => METHODS[id] === undefined), ...Object.keys(METHODS).filter((id) => !ids.includes(id))];
  if (amiss.length > 0) throw new Error(`scripts/sdk-methods.ts and the operations differ in: ${amiss.join(", ")}`);
  const operations = new Map<string, Json>(
    documents.flatMap(({ paths }) =>
      Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item).map((one) => [one.operationId, one])),
    ),
  );
  // In the order of the table, which keeps the operations of a group together.
  return Object.entries(METHODS).flatMap(([id, named]) => {
    const route = routes.find((each) => each.id === id);
    return route === undefined ? [] : [methodOf(route, named, operations.get(id))];
  });
}

function methodOf(route: Route, { as, body: bodyName, result: resultName, ...named }: NamedMethod, operation: Json): Method {
  const { parameters = [], requestBody, responses } = operation;
  const [group, name] = as.includes(".") ? as.split(".") : [null, as];
  const query = parameters.filter((one: Json) => one.in === "query" && !named.without?.includes(one.name));
  const contents = Object.entries<Json>(responses).flatMap(([status, { content }]) =>
    status.startsWith("2") && content !== undefined ? [schemaOf(content)] : [],
  );
  return {
    ...named,
    route,
    group: group ?? null,
    name: name ?? as,
    params: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, param = ""]) => param),
    query,
    queryName: `${pascal(route.id)}Query`,
    body: requestBody === undefined ? null : offered(schemaOf(requestBody.content), named.without),
    bodyName,
    result: named.kind === "none" ? null : (contents[0] ?? null),
    resultName,
  };
}

const schemaOf = (content: Json): Json => Object.values<Json>(content)[0].schema;

function offered(schema: Json, without: readonly string[] = []): Json {
  if (schema.properties === undefined) return schema;
  return { ...schema, properties: Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !without.includes(key))) };
}

/** `settlement.executed`, `create_settlement` as a name of a type. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9])+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
