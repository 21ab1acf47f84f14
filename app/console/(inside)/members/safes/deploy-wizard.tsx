import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { SAFE_VERSIONS, type SafeVersion } from "#domain/safe.ts";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { boundTo, Select, TextArea, TextField } from "../../../_components/controls/field.tsx";
import { Id, KeyValues } from "../../../_components/controls/values.tsx";
import { ConfirmForm, DialogButtons } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { chainChoices, plain } from "../../../_components/lists/filters.ts";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import { DeploymentStory } from "./deployment-story.tsx";
import { DEPLOY_WIZARD, KINDS as KIND_WORDS } from "./words.ts";

type Translations = WithShared<typeof DEPLOY_WIZARD>;

const KINDS = ["safe", "master_copy", "fallback_handler"] as const;
type Kind = (typeof KINDS)[number];
type Fields = { kind: string; chain: string; version: string; owners: string; threshold: string };
type Plan = { kind: Kind; chain: string; version: SafeVersion; owners: string[]; threshold: number };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ownersOf = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== "");

/** Choose what to deploy, confirm by typing, then see its progress: it spends the treasury's gas and cannot be undone. */
export function DeployWizard({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations(DEPLOY_WIZARD);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.title} shape="drawer">
      {open && <Steps onClose={onClose} />}
    </Dialog>
  );
}

function Steps({ onClose }: { onClose: () => void }) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [id, setId] = useState<string | null>(null);
  // One per dialog: however often it is sent, it is one deployment.
  const key = useRef(crypto.randomUUID());
  if (id !== null) return <Watch id={id} onClose={onClose} />;
  return (
    <>
      <div hidden={plan !== null}>
        <Ask onPlan={setPlan} onCancel={onClose} />
      </div>
      {plan !== null && (
        <Confirm
          plan={plan}
          requestKey={key.current}
          onBack={() => {
            key.current = crypto.randomUUID();
            setPlan(null);
          }}
          onDone={setId}
        />
      )}
    </>
  );
}

function Ask({ onPlan, onCancel }: { onPlan: (plan: Plan) => void; onCancel: () => void }) {
  const t = useTranslations(DEPLOY_WIZARD);
  const kinds = useTranslations(KIND_WORDS);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const chains = (data?.chains ?? []).filter(({ chain }) => chain.startsWith("eip155:"));
  const { handleSubmit, watch, ...form } = useForm<Fields>({
    mode: "onTouched",
    defaultValues: { kind: "safe", chain: chains[0]?.chain ?? "", version: "1.4.1", owners: "", threshold: "1" },
  });
  const field = boundTo(form);
  const [kind, owners] = watch(["kind", "owners"]);
  const count = ownersOf(owners).length;
  const submit = handleSubmit((fields) => {
    const isSafe = fields.kind === "safe";
    onPlan({
      kind: KINDS.find((each) => each === fields.kind) ?? "safe",
      chain: fields.chain,
      version: SAFE_VERSIONS.find((each) => each === fields.version) ?? "1.4.1",
      owners: isSafe ? ownersOf(fields.owners) : [],
      threshold: isSafe ? Number(fields.threshold) : 0,
    });
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <Select label={t.what} choices={KINDS.map((value) => ({ value, label: kinds[value] }))} {...field("kind")} />
      <Select label={t.chain} choices={chainChoices(chains)} {...field("chain")} />
      <Select label={t.version} choices={plain(SAFE_VERSIONS.toReversed())} {...field("version")} />
      {kind === "safe" && (
        <>
          <TextArea
            label={t.owners}
            hint={t.ownersHint}
            spellCheck={false}
            {...field("owners", { validate: (text, fields) => fields.kind !== "safe" || ownersRule(text, t) })}
          />
          <TextField
            label={t.threshold}
            inputMode="numeric"
            hint={t.thresholdHint(count)}
            {...field("threshold", {
              validate: (text, fields) =>
                fields.kind !== "safe" ||
                (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= Math.max(1, ownersOf(fields.owners).length)) ||
                t.thresholdWanted,
            })}
          />
        </>
      )}
      <DialogButtons onCancel={onCancel}>{t.review}</DialogButtons>
    </form>
  );
}

function ownersRule(text: string, t: Translations): string | true {
  const owners = ownersOf(text);
  if (owners.length === 0) return t.ownerWanted;
  const wrong = owners.find((each) => !ADDRESS.test(each));
  if (wrong !== undefined) return t.noAddress(wrong);
  return new Set(owners.map((each) => each.toLowerCase())).size === owners.length || t.ownerTwice;
}

type ConfirmProps = { plan: Plan; requestKey: string; onBack: () => void; onDone: (id: string) => void };

/** The user types the chain's name, because it cannot be undone. */
function Confirm({ plan, requestKey, onBack, onDone }: ConfirmProps) {
  const t = useTranslations(DEPLOY_WIZARD);
  const kinds = useTranslations(KIND_WORDS);
  const trpc = useTRPC();
  const { safes } = useTRPCClient();
  const { kind, chain, version, owners, threshold } = plan;
  const refresh = useRefresh(trpc.safes.list.queryKey());
  const deploy = () =>
    kind === "safe"
      ? safes.create.mutate({ request_key: requestKey, safe: { chain, owners, threshold, version } })
      : safes.createContract.mutate({ request_key: requestKey, contract: kind, chain, version });
  return (
    <ConfirmForm
      typed={chain}
      button={t.deploy(kinds[kind])}
      cancel={t.back}
      mutation={() => deploy().finally(refresh)}
      onDone={({ id }) => onDone(id)}
      onCancel={onBack}
    >
      <KeyValues
        items={[
          { key: t.what, value: `${kinds[kind]} ${version}` },
          { key: t.chain, value: <Data>{chain}</Data> },
          kind === "safe" && { key: t.threshold, value: t.thresholdOf(threshold, owners.length) },
          kind === "safe" && {
            key: t.ownersOf(owners.length),
            value: (
              <ul>
                {owners.map((owner) => (
                  <li key={owner}>
                    <Id value={owner} what={t.ownerNoun} />
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <Note kind="warning">{t.warning}</Note>
    </ConfirmForm>
  );
}

/** It continues even when the page is closed. */
function Watch({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations(DEPLOY_WIZARD);
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.safes.byId.queryOptions({ id }),
    refetchInterval: ({ state: { data } }) => (data?.state === "deployed" || data?.state === "failed" ? false : 1_000),
  });
  return (
    <>
      {query.isPending && <Skeleton rows={4} />}
      {query.error && <ErrorState error={query.error} compact onRetry={() => void query.refetch()} />}
      <div role="status" className="sr-only">
        {query.data?.state === "deployed" ? t.deployed : query.data?.state === "failed" ? t.failed : ""}
      </div>
      {query.data && <DeploymentStory deployment={query.data} />}
      <div className="dialog-buttons">
        <LinkButton href={`/console/members/safes/${id}`}>{t.open}</LinkButton>
        <Button look="primary" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </>
  );
}
