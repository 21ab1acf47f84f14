import type { Metadata } from "next";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { REFUSAL_CODES } from "#domain/refusal.ts";
import { problemDocument } from "../_content/samples.ts";
import { Code, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/errors");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Errors() {
  const rows = REFUSAL_CODES.map((code) => [
    <a key={code} href={`/docs/errors/${code}`}>
      <code>{code}</code>
    </a>,
    String(REFUSAL_STATUS[code].status),
    REFUSAL_STATUS[code].title,
  ]);
  return (
    <Shell current={page.path} title={page.title} lead="Every refusal has a code that never changes. Decide by the code, not by the words.">
      <Section id="shape" title="Shape">
        <p>
          An error of the settlement surface is a problem document (RFC 9457). <code>type</code> is the address of the error’s page here.
          Some codes add members of their own.
        </p>
        <Code label="An answer to a confirmation that came too late" text={problemDocument(readSite())} />
        <p>
          The partner-management surface answers <code>{'{"detail": "…", "code": "…"}'}</code> instead, and validation failures as{" "}
          <code>{'{"detail": [{"loc", "msg", "type"}]}'}</code>.
        </p>
      </Section>
      <Section id="codes" title="Codes">
        <Table caption="All error codes" columns={["Code", "Status", "Title"]} rows={rows} />
      </Section>
    </Shell>
  );
}
