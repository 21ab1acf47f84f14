import type { Metadata } from "next";
import { fieldsOf, type Named } from "#contract/fields.ts";
import { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { settlementSchema, undeliveredCallbackSchema } from "#contract/settlement/v1/settlement.ts";
import { exampleSettlement } from "../_content/example.ts";
import { OPERATIONS } from "../_content/operations.ts";
import { Code, Codes, Section } from "../_parts/blocks.tsx";
import { Fields, OperationBlock, OperationTable } from "../_parts/operation-block.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/reference");
export const metadata: Metadata = { title: page.title, description: page.summary };

/** Schemas that several operations return: each is described once. */
const NAMED: readonly Named[] = [
  { name: "settlement", schema: settlementSchema },
  { name: "callback", schema: callbackSchema },
  { name: "undelivered_callback", schema: undeliveredCallbackSchema },
];

export default function Reference() {
  return (
    <Shell current={page.path} title={page.title} lead="The settlement surface, generated from the service’s own definitions.">
      <OperationTable operations={OPERATIONS} />
      <p>
        Besides the codes named below, every operation with a key can fail the <a href="/docs/signing#checks">signing checks</a>, or return{" "}
        <Codes codes={["validation_failed", "rate_limited", "temporarily_unavailable"]} /> and the other general{" "}
        <a href="/docs/errors">errors</a>.
      </p>
      {OPERATIONS.map((operation) => (
        <OperationBlock key={operation.id} operation={operation} named={NAMED} />
      ))}
      <div className="operation">
        <Section id="settlement" title="The settlement">
          <Code label="As returned by creation" text={exampleSettlement(readSite())} />
          <Fields caption="Members of a settlement" fields={fieldsOf(settlementSchema, "output", NAMED)} />
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
