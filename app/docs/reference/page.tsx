import type { Metadata } from "next";
import { fieldsOf } from "#contract/fields.ts";
import { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { settlementSchema, undeliveredCallbackSchema } from "#contract/settlement/v1/settlement.ts";
import { exampleSettlement } from "../_content/example.ts";
import { ALL_CLIENTS } from "../_content/in-languages.ts";
import { SETTLEMENT_SCHEMAS } from "../_content/named-schemas.ts";
import { OPERATIONS } from "../_content/operations.ts";
import { Code, Codes, Section } from "../_parts/blocks.tsx";
import { Fields, OperationTable } from "../_parts/operation-block.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";
import { Tabs } from "../_parts/tabs.tsx";

const page = pageAt("/docs/reference");
export const metadata: Metadata = { title: page.title, description: page.summary };

export default function Reference() {
  return (
    <Shell current={page.path} title={page.title} lead="The settlement surface, generated from the service’s own definitions.">
      <Section id="operations" title="Operations">
        <OperationTable operations={OPERATIONS} />
        <p>
          Members, Safes, withdrawals, top-ups, partners and keys belong to <a href="/docs/partner-management">partner management</a>.
        </p>
      </Section>
      <Section id="client" title="The client">
        <p>
          Each operation shows a request in five languages, and the answer that a sandbox gave. The samples of the SDKs continue from this.
          Where an SDK has no method for an operation, they use its general call. A key of the operator works in the same way.
        </p>
        <Tabs label="Programming language of: the client" names={ALL_CLIENTS.map(({ name }) => name)}>
          {ALL_CLIENTS.map(({ name, language, text }) => (
            <Code key={name} label={`The client, in ${name}`} language={language} text={text} />
          ))}
        </Tabs>
        <p>
          For other languages: <a href="/openapi/settlement.json">OpenAPI 3.1</a> (<a href="/openapi/settlement.yaml">YAML</a>) of the
          operations, and <a href="/asyncapi/events.json">AsyncAPI 3.0</a> (<a href="/asyncapi/events.yaml">YAML</a>) of the events.
        </p>
      </Section>
      <Section id="errors" title="Errors">
        <p>
          Besides the codes that it names, every operation with a key can fail the <a href="/docs/signing#checks">signing checks</a>, or
          return <Codes codes={["validation_failed", "rate_limited", "temporarily_unavailable"]} /> and the other general{" "}
          <a href="/docs/errors">errors</a>.
        </p>
      </Section>
      <div className="operation">
        <Section id="settlement" title="The settlement">
          <Code label="As returned by creation" language="json" text={exampleSettlement(readSite())} />
          <Fields caption="Members of a settlement" fields={fieldsOf(settlementSchema, "output", SETTLEMENT_SCHEMAS)} />
        </Section>
        <Section id="callback" title="The callback">
          <Fields caption="Members of a callback" fields={fieldsOf(callbackSchema, "output")} />
        </Section>
        <Section id="undelivered_callback" title="The undelivered callback">
          <Fields caption="Members of an undelivered callback" fields={fieldsOf(undeliveredCallbackSchema, "output")} />
        </Section>
      </div>
    </Shell>
  );
}
