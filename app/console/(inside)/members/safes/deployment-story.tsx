import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { Id, KeyValues } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Served } from "../../../_words/served.tsx";
import { Data } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import { DeploymentProgress } from "../deployment-progress.tsx";
import { purposeOf } from "./deployment-signs.tsx";
import { DEPLOYMENT_STORY, PURPOSES } from "./words.ts";

type Deployment = Answers["safes"]["byId"];

/** How far it came, what it is, and the transaction (the answer that the API gives as an `EthTx`). */
export function DeploymentStory({ deployment }: { deployment: Deployment }) {
  const says = useWords(DEPLOYMENT_STORY);
  const purposes = useWords(PURPOSES);
  const { eth_tx: tx, owners, member_id } = deployment;
  return (
    <>
      {deployment.state === "failed" ? (
        <Note kind="danger">
          <Served>{deployment.failure_reason}</Served>
        </Note>
      ) : (
        <DeploymentProgress deployment={deployment} />
      )}
      <KeyValues
        items={[
          deployment.address !== null && { key: says.address, value: <Id value={deployment.address} what={says.theAddress} full /> },
          { key: says.chain, value: <Data>{deployment.chain}</Data> },
          {
            key: says.for,
            value:
              member_id === null ? purposeOf(deployment, purposes) : <Link href={`/console/members/${member_id}`}>{purposes.member}</Link>,
          },
          deployment.threshold !== null && {
            key: says.threshold,
            value: owners === null ? String(deployment.threshold) : says.of(deployment.threshold, owners.length),
          },
          owners !== null && {
            key: says.ownersOf(owners.length),
            value: (
              <ul>
                {owners.map((owner) => (
                  <li key={owner}>
                    <Id value={owner} what={says.owner} full />
                  </li>
                ))}
              </ul>
            ),
          },
          tx !== null && { key: says.transaction, value: <Id value={tx.tx_hash} what={says.transactionHash} full /> },
          tx !== null && { key: says.from, value: <Id value={tx.from} what={says.sender} full /> },
          tx !== null && {
            key: says.to,
            value: tx.to === null ? says.nobodyTransactionCreates : <Id value={tx.to} what={says.receiver} full />,
          },
          tx !== null && { key: says.nonce, value: String(tx.nonce) },
          tx !== null && { key: says.gasLimit, value: Number(tx.gas).toLocaleString("en") },
          tx !== null && { key: says.chainId, value: String(tx.chain_id) },
          deployment.payment?.block_number != null && { key: says.block, value: deployment.payment.block_number.toLocaleString("en") },
        ]}
      />
      {tx !== null && (
        <details>
          <summary>{says.data(((tx.data.length - 2) / 2).toLocaleString("en"))}</summary>
          <CodeBlock label={says.dataTransaction} text={tx.data} />
        </details>
      )}
    </>
  );
}
