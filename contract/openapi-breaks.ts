/**
 * Finds breaking changes of an OpenAPI document for existing integrations: fields are added, never removed, and value sets never change
 * (the set of error codes is documented as open). Any other addition is fine.
 */

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;
/**
 * `sent`: by clients, so everything accepted before must still be accepted. `received`: by clients, so nothing new may appear where they decide
 * by it.
 */
type Direction = "sent" | "received";
type Sides = { before: Json; after: Json; direction: Direction };

const OPEN_SETS = ["ErrorCode"];
const SMALLEST = ["minLength", "minimum", "minItems"];
const LARGEST = ["maxLength", "maximum", "maxItems"];

/** A line for each break. */
export function findBreaks(before: Json, after: Json): string[] {
  const sides = (direction: Direction): Sides => ({ before, after, direction });
  const paths = each(before.paths, (path, methods) =>
    each(methods, (method, operation) => {
      const at = `${method.toUpperCase()} ${path}`;
      const now = after.paths?.[path]?.[method];
      return now === undefined ? [`${at} is gone`] : operationBreaks(sides, at, operation, now);
    }),
  );
  const webhooks = each(before.webhooks, (event, { post }) => {
    const now = after.webhooks?.[event]?.post;
    if (now === undefined) return [`callback ${event} is gone`];
    return contentBreaks(sides("received"), `callback ${event}`, post.requestBody.content, now.requestBody.content);
  });
  return [...paths, ...webhooks];
}

function operationBreaks(sides: (direction: Direction) => Sides, at: string, old: Json, now: Json): string[] {
  const found: string[] = [];
  const named = (list: Json[] | undefined) => new Map((list ?? []).map((one) => [`${one.in} ${one.name}`, one]));
  const [were, are] = [named(old.parameters), named(now.parameters)];
  for (const [name, parameter] of were) {
    const after = are.get(name);
    if (after === undefined) found.push(`${at}: the parameter ${name} is gone`);
    else found.push(...schemaBreaks(sides("sent"), `${at} ${name}`, parameter.schema, after.schema));
  }
  for (const [name, parameter] of are) {
    if (parameter.required && !were.get(name)?.required) found.push(`${at}: the parameter ${name} is required now`);
  }
  if (now.requestBody?.required && !old.requestBody?.required) found.push(`${at}: a body is required now`);
  if (old.requestBody) found.push(...contentBreaks(sides("sent"), `${at} body`, old.requestBody.content, now.requestBody?.content));
  for (const [status, response] of Object.entries<Json>(old.responses)) {
    if (!status.startsWith("2")) continue;
    const after = now.responses[status];
    if (after === undefined) found.push(`${at}: it is never answered ${status} any more`);
    else found.push(...responseBreaks(sides("received"), `${at} ${status}`, response, after));
  }
  for (const status of Object.keys(now.responses)) {
    if (status.startsWith("2") && !(status in old.responses)) found.push(`${at}: it may be answered ${status} now`);
  }
  return found;
}

function responseBreaks(sides: Sides, at: string, old: Json, now: Json): string[] {
  const headers = Object.keys(old.headers ?? {}).filter((name) => !(name in (now.headers ?? {})));
  const content = old.content === undefined ? [] : contentBreaks(sides, at, old.content, now.content);
  return [...headers.map((name) => `${at}: the header ${name} is gone`), ...content];
}

function contentBreaks(sides: Sides, at: string, old: Json, now: Json): string[] {
  return each(old, (media, { schema }) =>
    now?.[media] === undefined ? [`${at}: ${media} is gone`] : schemaBreaks(sides, at, schema, now[media].schema),
  );
}

function schemaBreaks(sides: Sides, at: string, oldSchema: Json, nowSchema: Json): string[] {
  const [old, now] = [follow(sides.before, oldSchema), follow(sides.after, nowSchema)];
  if (isOpen(oldSchema) || isOpen(nowSchema)) return [];
  if (old.anyOf || now.anyOf) return alternativesBreak(sides, at, old, now);
  return [
    ...typeBreaks(sides, at, old, now),
    ...valueBreaks(sides, at, old, now),
    ...(sides.direction === "sent" ? limitBreaks(at, old, now) : []),
    ...memberBreaks(sides, at, old, now),
    ...(old.items && now.items ? schemaBreaks(sides, `${at}[]`, old.items, now.items) : []),
  ];
}

/** Each alternative of the side that must be covered has one on the other side that breaks nothing. */
function alternativesBreak(sides: Sides, at: string, old: Json, now: Json): string[] {
  const [olds, nows] = [old.anyOf ?? [old], now.anyOf ?? [now]];
  const [covered, covering] = sides.direction === "sent" ? [olds, nows] : [nows, olds];
  return covered.flatMap((one: Json) => {
    const tries: string[][] = covering.map((other: Json) =>
      sides.direction === "sent" ? schemaBreaks(sides, at, one, other) : schemaBreaks(sides, at, other, one),
    );
    if (tries.some((breaks) => breaks.length === 0)) return [];
    const ofItsKind = covering.findIndex((other: Json) => kindsOf(other).join() === kindsOf(one).join());
    return tries[ofItsKind] ?? [`${at}: ${kindsOf(one).join(" or ")} is ${sides.direction === "sent" ? "not taken any more" : "new"}`];
  });
}

function typeBreaks({ direction }: Sides, at: string, old: Json, now: Json): string[] {
  const [olds, nows] = [kindsOf(old), kindsOf(now)];
  if (olds.length === 0 || nows.length === 0) {
    const wider = direction === "sent" ? nows.length === 0 : olds.length === 0;
    return wider || olds.length === nows.length ? [] : [`${at}: its type was or is missing`];
  }
  const [covered, covering] = direction === "sent" ? [olds, nows] : [nows, olds];
  const covers = (type: string) => covering.includes(type) || (type === "integer" && covering.includes("number"));
  return covered.every(covers) ? [] : [`${at}: its type was ${olds.join(" or ")}, and is ${nows.join(" or ")}`];
}

function valueBreaks({ direction }: Sides, at: string, old: Json, now: Json): string[] {
  const [olds, nows] = [valuesOf(old), valuesOf(now)];
  if (olds === null && (nows === null || direction === "received")) return [];
  if (olds === null) return [`${at}: only some values are left`];
  if (nows === null) return [`${at}: its set of values is not listed any more`];
  const gone = olds.filter((value) => !nows.includes(value));
  const added = nows.filter((value) => !olds.includes(value));
  return [...gone.map((value) => `${at}: the value ${value} is gone`), ...added.map((value) => `${at}: the value ${value} is new`)];
}

function limitBreaks(at: string, old: Json, now: Json): string[] {
  const tighter = [
    ...SMALLEST.filter((name) => now[name] !== undefined && now[name] > (old[name] ?? Number.NEGATIVE_INFINITY)),
    ...LARGEST.filter((name) => now[name] !== undefined && now[name] < (old[name] ?? Number.POSITIVE_INFINITY)),
    ...["pattern", "format"].filter((name) => now[name] !== undefined && now[name] !== old[name] && !isRoom(now[name])),
  ];
  return tighter.map((name) => `${at}: ${name} is stricter than it was`);
}

/** Whether a format only names the type for parsing a number: these cover every accepted number, so none is refused because of them. */
function isRoom(format: unknown): boolean {
  return format === "double" || format === "int64";
}

function memberBreaks(sides: Sides, at: string, old: Json, now: Json): string[] {
  const [were, are] = [new Set<string>(old.required ?? []), new Set<string>(now.required ?? [])];
  const members = each(old.properties, (name, schema) =>
    now.properties?.[name] === undefined ? [`${at}.${name} is gone`] : schemaBreaks(sides, `${at}.${name}`, schema, now.properties[name]),
  );
  const needed =
    sides.direction === "sent"
      ? [...are].filter((name) => !were.has(name)).map((name) => `${at}.${name} is required now`)
      : [...were].filter((name) => !are.has(name) && now.properties?.[name]).map((name) => `${at}.${name} may be missing now`);
  return [...members, ...needed];
}

function each(members: Json, look: (name: string, member: Json) => string[]): string[] {
  return Object.entries<Json>(members ?? {}).flatMap(([name, member]) => look(name, member));
}

function follow(document: Json, schema: Json): Json {
  const name = schema?.$ref?.split("/").at(-1);
  return name === undefined ? (schema ?? {}) : follow(document, document.components.schemas[name]);
}

function isOpen(schema: Json): boolean {
  return OPEN_SETS.includes(schema?.$ref?.split("/").at(-1));
}

function kindsOf(schema: Json): string[] {
  return [schema.type ?? []].flat();
}

function valuesOf(schema: Json): unknown[] | null {
  return schema.const === undefined ? (schema.enum ?? null) : [schema.const];
}
