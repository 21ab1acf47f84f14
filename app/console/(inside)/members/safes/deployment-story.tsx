import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { Id, KeyValues } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { DeploymentProgress } from "../deployment-progress.tsx";
import { purposeOf } from "./words.tsx";

type Deployment = Answers["safes"]["byId"];

/** How far it came, what it is, and the transaction (the answer that the API gives as an `EthTx`). */
export function DeploymentStory({ deployment }: { deployment: Deployment }) {
  const { eth_tx: tx, owners, member_id } = deployment;
  return (
    <>
      {deployment.state === "failed" ? (
        <Note kind="danger">{deployment.failure_reason}</Note>
      ) : (
        <DeploymentProgress deployment={deployment} />
      )}
      <KeyValues
        items={[
          deployment.address !== null && { key: "Address", value: <Id value={deployment.address} what="address" full /> },
          { key: "Chain", value: deployment.chain },
          {
            key: "For",
            value: member_id === null ? purposeOf(deployment) : <Link href={`/console/members/${member_id}`}>A member's Safe</Link>,
          },
          deployment.threshold !== null && {
            key: "Threshold",
            value: owners === null ? String(deployment.threshold) : `${deployment.threshold} of ${owners.length}`,
          },
          owners !== null && {
            key: owners.length === 1 ? "Owner" : "Owners",
            value: (
              <ul>
                {owners.map((owner) => (
                  <li key={owner}>
                    <Id value={owner} what="owner" full />
                  </li>
                ))}
              </ul>
            ),
          },
          tx !== null && { key: "Transaction", value: <Id value={tx.tx_hash} what="transaction hash" full /> },
          tx !== null && { key: "From", value: <Id value={tx.from} what="sender" full /> },
          tx !== null && {
            key: "To",
            value: tx.to === null ? "Nobody: the transaction creates the contract" : <Id value={tx.to} what="receiver" full />,
          },
          tx !== null && { key: "Nonce", value: String(tx.nonce) },
          tx !== null && { key: "Gas limit", value: Number(tx.gas).toLocaleString("en") },
          tx !== null && { key: "Chain id", value: String(tx.chain_id) },
          deployment.payment?.block_number != null && { key: "Block", value: deployment.payment.block_number.toLocaleString("en") },
        ]}
      />
      {tx !== null && (
        <details>
          <summary>Data, {((tx.data.length - 2) / 2).toLocaleString("en")} bytes</summary>
          <CodeBlock label="Data of the transaction" text={tx.data} />
        </details>
      )}
    </>
  );
}
