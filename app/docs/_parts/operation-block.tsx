import type { ReactNode } from "react";
import { type Field, fieldsOf, listedIn, type Named } from "#contract/fields.ts";
import { type CallerKind, honoursIdempotencyKey, type Operation, wantedScopes } from "#contract/operation.ts";
import { operationHref } from "../_content/operation-groups.ts";
import { Codes, Section, Table } from "./blocks.tsx";

/** Every operation of a surface, each with a link to its block on the page of its group. */
export function OperationTable({ operations }: { operations: readonly Operation[] }) {
  return (
    <Table
      caption="All operations"
      columns={["Operation", "What it does"]}
      rows={operations.map(({ id, method, path, summary }) => [
        <a key={id} id={id} href={operationHref({ id, path })}>
          <code>
            {method} {path}
          </code>
        </a>,
        summary,
      ])}
    />
  );
}

/** One operation with its fields, its answer and its errors. Schemas in `named` are described once, on the page of their surface. */
export function OperationBlock({
  operation,
  named,
  samples = null,
  showCaller = false,
}: {
  operation: Operation;
  named: readonly Named[];
  /** Its request and its answer. */
  samples?: ReactNode;
  showCaller?: boolean;
}) {
  const { id, method, path, summary, refusals } = operation;
  const scopes = wantedScopes(operation);
  const known = named.find((each) => each.schema === operation.result || each.schema === listedIn(operation.result));
  return (
    <div className="operation">
      <Section id={id} title={summary}>
        <p className="route">
          <b>{method}</b> {path}
        </p>
        <dl className="facts">
          <dt>Answer</dt>
          <Answer operation={operation} known={known} />
          {showCaller ? (
            <>
              <dt>For</dt>
              <dd>{CALLERS[operation.caller ?? "partner"]}</dd>
            </>
          ) : null}
          {scopes.length === 0 ? null : (
            <>
              <dt>Scope</dt>
              <dd>
                {scopes.map(({ side, scope }, place) => (
                  <span key={side}>
                    {place > 0 ? ", " : ""}
                    <code>{scope}</code>
                    {side === "operator" ? " of an operator's key" : ""}
                  </span>
                ))}
              </dd>
            </>
          )}
          <Headers operation={operation} />
          {refusals.length === 0 ? null : (
            <>
              <dt>Refusals</dt>
              <dd>
                <Codes codes={refusals} />
              </dd>
            </>
          )}
        </dl>
        {samples}
        <Fields caption={`Query parameters of ${id}`} heading="Query parameters" fields={fieldsOf(operation.query, "input")} input />
        <Fields caption={`Body of ${id}`} heading="Body" fields={fieldsOf(operation.body, "input")} input />
        {known ? null : (
          <Fields
            caption={`Answer of ${id}`}
            heading="Answer"
            fields={fieldsOf(listedIn(operation.result) ?? operation.result, "output", named)}
          />
        )}
      </Section>
    </div>
  );
}

const CALLERS: Record<CallerKind, string> = {
  signed: "a partner, by its signature",
  partner: "a partner's key, for its own partner",
  operator: "the operator: an operator’s key, or a person with the right role",
  both: "a partner's key for its own partner, the operator for all",
  anybody: "anybody",
  provider: "the fiat provider, by its signature",
};

function Headers({ operation }: { operation: Operation }) {
  const isIdempotent = honoursIdempotencyKey(operation);
  const answered = Object.entries({
    ...(isIdempotent ? { "Idempotent-Replayed": "true, when a stored answer is returned again" } : {}),
    ...operation.resultHeaders,
  });
  return (
    <>
      {isIdempotent ? (
        <>
          <dt>Request header</dt>
          <dd>
            <code>Idempotency-Key</code>, optional: a repeat with the same key and bytes{" "}
            <a href="/docs/retries#idempotency">does not run again</a>
          </dd>
        </>
      ) : null}
      {answered.length === 0 ? null : (
        <>
          <dt>Answer’s headers</dt>
          <dd>
            {answered.map(([name, about], place) => (
              <span key={name}>
                {place > 0 ? ". " : ""}
                <code>{name}</code>: {about}
              </span>
            ))}
          </dd>
        </>
      )}
    </>
  );
}

function Answer({ operation, known }: { operation: Operation; known: Named | undefined }) {
  const { status, repeatStatus, proposedStatus, result } = operation;
  return (
    <dd>
      {status}
      {status === 204 ? " without a body" : null}
      {repeatStatus === undefined ? null : `, or ${repeatStatus} to a repeat,`}
      {proposedStatus === undefined ? null : `, or in live mode ${proposedStatus} while a second person has to confirm it,`}
      {known ? (
        <>
          {" "}
          with {listedIn(result) === null ? "the" : "a list of the"} <a href={`${known.page ?? ""}#${known.name}`}>{known.name}</a>
        </>
      ) : null}
    </dd>
  );
}

export function Fields({
  caption,
  heading,
  fields,
  input = false,
}: {
  caption: string;
  heading?: string;
  fields: readonly Field[];
  input?: boolean;
}) {
  if (fields.length === 0) return null;
  return (
    <>
      {heading ? <h3>{heading}</h3> : null}
      <Table
        caption={caption}
        columns={["Field", "Type", input ? "Required" : "Always there", "Meaning"]}
        rows={fields.map(({ name, type, required, description }) => [
          <code key={name}>{name}</code>,
          type,
          required ? "yes" : "no",
          description,
        ])}
      />
    </>
  );
}
