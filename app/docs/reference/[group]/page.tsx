import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ALL_SCHEMAS } from "../../_content/named-schemas.ts";
import { GROUPS_IN_ORDER, groupOf, groupPath, type OperationGroup } from "../../_content/operation-groups.ts";
import { MANAGEMENT_OPERATIONS, OPERATIONS } from "../../_content/operations.ts";
import { OperationBlock } from "../../_parts/operation-block.tsx";
import { OperationSamples } from "../../_parts/operation-samples.tsx";
import { Shell } from "../../_parts/shell.tsx";
import { readSite } from "../../_parts/site.ts";

type Props = { params: Promise<{ group: string }> };

async function readGroup({ params }: Props): Promise<OperationGroup> {
  const { group: asked } = await params;
  return GROUPS_IN_ORDER.find(({ slug }) => slug === asked) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { title, summary } = await readGroup(props);
  return { title, description: summary };
}

export default async function GroupOfOperations(props: Props) {
  const group = await readGroup(props);
  const site = readSite();
  const isManagement = group.surface === "management";
  const operations = (isManagement ? MANAGEMENT_OPERATIONS : OPERATIONS).filter((operation) => groupOf(operation) === group);
  return (
    <Shell current={groupPath(group)} title={group.title} lead={group.summary}>
      <p>
        The samples continue from <a href="/docs/reference#client">the client</a>. Errors that every operation can return are{" "}
        <a href={isManagement ? "/docs/partner-management#errors" : "/docs/reference#errors"}>in one place</a>.
      </p>
      {group.slug === "events" ? (
        <p>
          To follow events, the SDKs have <code>events.follow</code>: it reads on from a stored cursor, and waits for the next event.{" "}
          <a href="/docs/follow#reading">Read without a server</a> shows it in four languages.
        </p>
      ) : null}
      {operations.map((operation) => (
        <OperationBlock
          key={operation.id}
          operation={operation}
          named={ALL_SCHEMAS}
          samples={<OperationSamples operation={operation} site={site} />}
          showCaller={isManagement}
        />
      ))}
    </Shell>
  );
}
