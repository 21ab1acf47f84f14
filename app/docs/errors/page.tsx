import type { Metadata } from "next";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { FAULT_CODES, REFUSAL_CODES } from "#domain/refusal.ts";
import { FAULT_MEANING } from "../_content/faults.ts";
import { problemDocument } from "../_content/samples.ts";
import { Code, Codes, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/errors");
export const metadata: Metadata = { title: page.title, description: page.summary };

const FAULTS = `"errors": [
  {"pointer": "/source_amount", "code": "invalid_type", "message": "must be a whole number"},
  {"pointer": "/wallet", "code": "unknown", "message": "is not a field of this operation"},
  {"pointer": "/wallet_address", "code": "required", "message": "is required"}
]`;

export default function Errors() {
  const rows = REFUSAL_CODES.map((code) => [
    <a key={code} href={`/docs/errors/${code}`}>
      <code>{code}</code>
    </a>,
    String(REFUSAL_STATUS[code].status),
    REFUSAL_STATUS[code].title,
  ]);
  return (
    <Shell current={page.path} title={page.title} lead="Every error has a code that never changes. Decide by the code, not by the text.">
      <Section id="shape" title="Shape">
        <p>
          An error of the settlement surface is a problem document (RFC 9457). <code>type</code> is the address of the error’s page here.
          Some codes add their own members.
        </p>
        <Code label="An answer to a confirmation that came too late" text={problemDocument(readSite())} />
        <p>
          The partner-management surface answers <code>{'{"detail": "…", "code": "…", "request_id": "…"}'}</code> instead. With status 422{" "}
          <code>detail</code> is a list, <code>{'[{"loc", "msg", "type"}]'}</code>; with every other status it is a sentence.
        </p>
      </Section>
      <Section id="faults" title="Invalid fields">
        <p>
          A 422 names every fault at once. On the settlement surface <code>errors</code> is a list with <code>pointer</code> (a JSON pointer
          into the body) or <code>parameter</code> (of the query), <code>code</code> and <code>message</code>. On the partner-management
          surface <code>detail</code> is a list with <code>loc</code>, <code>type</code> and <code>msg</code>. Its <code>type</code> is{" "}
          <code>missing</code> instead of <code>required</code>, and <code>extra_forbidden</code> instead of <code>unknown</code>. An error
          about one field can also have its own code instead of one of those below, such as{" "}
          <Codes codes={["amount_too_small", "callback_url_not_allowed"]} />.
        </p>
        <Code label="errors of the settlement surface" language="json" text={FAULTS} />
        <Table
          caption="Codes of faults"
          columns={["errors[].code", "Meaning"]}
          rows={FAULT_CODES.map((code) => [<code key={code}>{code}</code>, FAULT_MEANING[code]])}
        />
      </Section>
      <Section id="codes" title="Codes">
        <Table caption="All error codes" columns={["Code", "Status", "Title"]} rows={rows} />
      </Section>
    </Shell>
  );
}
