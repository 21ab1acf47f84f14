import type { Answers } from "#server/console/router.ts";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { Link } from "../../../_components/controls/link.tsx";
import { Id, KeyValues } from "../../../_components/controls/values.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { Data, Served, useTranslations } from "../../../_words/words.ts";
import { DeploymentProgress } from "../deployment-progress.tsx";
import { purposeOf } from "./deployment-signs.tsx";
import { DEPLOYMENT_STORY, PURPOSES } from "./words.ts";

type Deployment = Answers["safes"]["byId"];

/** The deployment's progress, its kind, and its transaction (the API's `EthTx`). */
export function DeploymentStory({ deployment }: { deployment: Deployment }) {
  const t = useTranslations(DEPLOYMENT_STORY);
  const purposes = useTranslations(PURPOSES);
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
          deployment.address !== null && { key: t.address, value: <Id value={deployment.address} what={t.addressNoun} full /> },
          { key: t.chain, value: <Data>{deployment.chain}</Data> },
          {
            key: t.for,
            value:
              member_id === null ? purposeOf(deployment, purposes) : <Link href={`/console/members/${member_id}`}>{purposes.member}</Link>,
          },
          deployment.threshold !== null && {
            key: t.threshold,
            value: owners === null ? String(deployment.threshold) : t.thresholdOf(deployment.threshold, owners.length),
          },
          owners !== null && {
            key: t.ownersOf(owners.length),
            value: (
              <ul>
                {owners.map((owner) => (
                  <li key={owner}>
                    <Id value={owner} what={t.ownerNoun} full />
                  </li>
                ))}
              </ul>
            ),
          },
          tx !== null && { key: t.transaction, value: <Id value={tx.tx_hash} what={t.transactionHash} full /> },
          tx !== null && { key: t.from, value: <Id value={tx.from} what={t.senderNoun} full /> },
          tx !== null && {
            key: t.to,
            value: tx.to === null ? t.noRecipient : <Id value={tx.to} what={t.receiver} full />,
          },
          tx !== null && { key: t.nonce, value: String(tx.nonce) },
          tx !== null && { key: t.gasLimit, value: t.format.count(Number(tx.gas)) },
          tx !== null && { key: t.chainId, value: String(tx.chain_id) },
          deployment.payment?.block_number != null && { key: t.block, value: t.format.count(deployment.payment.block_number) },
        ]}
      />
      {tx !== null && (
        <details>
          <summary>{t.data(t.format.count((tx.data.length - 2) / 2))}</summary>
          <CodeBlock label={t.dataLabel} text={tx.data} />
        </details>
      )}
    </>
  );
}
