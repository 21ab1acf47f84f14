import type { Metadata } from "next";
import { fieldsOf } from "#contract/fields.ts";
import { MANAGEMENT_SCHEMAS } from "../_content/named-schemas.ts";
import { MANAGEMENT_OPERATIONS } from "../_content/operations.ts";
import { Code, Codes, Section } from "../_parts/blocks.tsx";
import { Fields, OperationTable } from "../_parts/operation-block.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/partner-management");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function PartnerManagement() {
  return (
    <Shell current={page.path} title={page.title} lead="The partner-management surface, generated from the service’s own definitions.">
      <Section id="requests" title="Requests">
        <p>
          A request carries an API key in the header <code>apiKey</code>; the operator&apos;s people send <code>Authorization: Bearer</code>{" "}
          with the token that a log-in returns. A key acts only for its own partner.
        </p>
        <p>
          A key with <code>signed_management</code> must sign here: every request if it is <code>all</code>, the default for a new key in
          live mode, and every change if it is <code>true</code>. Besides <code>apiKey</code>, such a request carries the timestamp, nonce
          and signature headers of <a href="/docs/signing">signed requests</a>, over the same signing string. Without them the service
          refuses it with <Codes codes={["signature_required"]} />. So the key alone, which travels in every request, moves no money and
          creates no other key. If you send signing headers that are not required, the service checks them too.
        </p>
        <Code label="Your own partner" text={`curl ${readSite().baseUrl}/partners/current -H "apiKey: $API_KEY"`} />
      </Section>
      <Section id="errors" title="Errors">
        <p>
          An invalid value is 422 with <code>detail</code>, a list of <code>loc</code>, <code>msg</code> and <code>type</code>. Every other
          error has <code>detail</code>, a sentence, and <code>code</code>. Besides the codes named below, every operation can return{" "}
          <Codes
            codes={[
              "missing_api_key",
              "unknown_api_key",
              "revoked_api_key",
              "invalid_token",
              "forbidden",
              "scope_missing",
              "partner_suspended",
            ]}
          />
          , <Codes codes={["rate_limited", "temporarily_unavailable"]} /> and the other general <a href="/docs/errors">errors</a>.
        </p>
        <p>
          This surface is also available as <a href="/openapi/partner.json">OpenAPI 3.1</a>, and so is{" "}
          <a href="/openapi/settlement.json">the settlement surface</a>.
        </p>
      </Section>
      <Section id="operations" title="Operations">
        <OperationTable operations={MANAGEMENT_OPERATIONS} />
      </Section>
      <div className="operation">
        {MANAGEMENT_SCHEMAS.map(({ name, schema }) => (
          <Section key={name} id={name} title={name}>
            <Fields caption={`Members of ${name}`} fields={fieldsOf(schema, "output")} />
          </Section>
        ))}
      </div>
    </Shell>
  );
}
