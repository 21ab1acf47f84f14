"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Empty, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { History } from "./history.tsx";
import { differences, type Pair, pairName, setOf, type TermsShown } from "./pair-words.ts";
import { TermsForm } from "./terms-form.tsx";
import { Differences } from "./terms-preview.tsx";

type OverridesProps = { pair: Pair; mayEdit: boolean; onBusy: (busy: boolean) => void };

/** Partners with terms of their own, which replace the pair's as a whole. */
export function Overrides({ pair, mayEdit, onBusy }: OverridesProps) {
  const [edited, setEdited] = useState<string | null>(null);
  const own = pair.overrides.find(({ partner }) => partner.id === edited);
  if (edited !== null) {
    return (
      <OneOverride
        key={edited}
        pair={pair}
        partnerId={edited}
        current={own?.terms ?? null}
        mayEdit={mayEdit}
        onBusy={onBusy}
        onBack={() => setEdited(null)}
      />
    );
  }
  return (
    <div className="form">
      {pair.overrides.length === 0 && (
        <Empty title="No partner has terms of its own">
          <p>All are quoted under the pair's terms.</p>
        </Empty>
      )}
      <ul className="versions">
        {pair.overrides.map(({ partner, terms }) => (
          <li key={partner.id}>
            <div className="card-line">
              <strong>{partner.name}</strong>
              <Button onClick={() => setEdited(partner.id)}>
                {mayEdit ? "Change" : "Look at"} <span className="sr-only">the terms of {partner.name}</span>
              </Button>
            </div>
            <Differences list={differences(setOf(pair.terms), setOf(terms), pair)} />
          </li>
        ))}
      </ul>
      {mayEdit && <AddOverride pair={pair} onChoose={setEdited} />}
    </div>
  );
}

function AddOverride({ pair, onChoose }: { pair: Pair; onChoose: (partnerId: string) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const others = (data?.partners ?? []).filter(({ id }) => pair.overrides.every(({ partner }) => partner.id !== id));
  return (
    <Select
      label="Terms for one partner"
      hint="Replace the pair's terms as a whole, for this partner alone."
      value=""
      choices={[{ value: "", label: "Choose a partner" }, ...others.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={({ target }) => target.value !== "" && onChoose(target.value)}
    />
  );
}

type OneProps = OverridesProps & { partnerId: string; current: TermsShown | null; onBack: () => void };

function OneOverride({ pair, partnerId, current, mayEdit, onBusy, onBack }: OneProps) {
  const trpc = useTRPC();
  const owner = {
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    partner_id: partnerId,
  };
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  // An override that was withdrawn goes on counting its versions.
  const history = useQuery(trpc.rates.history.queryOptions(owner));
  if (!history.data) return history.error ? <Trouble error={history.error} onRetry={() => void history.refetch()} /> : null;
  const newest = history.data[0]?.terms ?? null;
  return (
    <div className="form">
      <div className="card-line">
        <h3>{choices?.partners.find(({ id }) => id === partnerId)?.name ?? "One partner"}</h3>
        <Button look="quiet" onClick={onBack}>
          Back to all partners
        </Button>
      </div>
      <TermsForm
        owner={owner}
        current={newest}
        initial={setOf(current ?? pair.terms)}
        initialReason=""
        mayEdit={mayEdit}
        onBusy={onBusy}
        onSaved={() => {}}
      />
      {mayEdit && current !== null && <Withdraw owner={owner} version={current.version} onDone={onBack} />}
      {newest !== null && <History owner={owner} />}
    </div>
  );
}

const LEAST_REASON = 8;

function Withdraw({
  owner,
  version,
  onDone,
}: {
  owner: { source_currency: string; destination_currency: string; chain: string; partner_id: string };
  version: number;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const guarded = useStepUp();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<unknown>(null);
  const withdraw = useMutation(trpc.rates.withdraw.mutationOptions());
  const submit = async () => {
    setError(null);
    try {
      const { terms } = await guarded(() => withdraw.mutateAsync({ ...owner, expected_version: version, reason: reason.trim() }));
      if (terms === null) toast("Proposed", `${pairName(owner)}: it ends once another admin has confirmed it.`);
      else toast("Withdrawn", `${pairName(owner)}: the pair's own terms hold for this partner.`);
      onDone();
    } catch (trouble) {
      setError(trouble);
    } finally {
      void queries.invalidateQueries({ queryKey: trpc.rates.terms.queryKey() });
      void queries.invalidateQueries({ queryKey: trpc.rates.history.queryKey() });
    }
  };
  return (
    <div className="form withdraw">
      <TextField
        label="Reason for withdrawing"
        hint="From then on the pair's own terms hold."
        value={reason}
        maxLength={1_000}
        onChange={({ target }) => setReason(target.value)}
      />
      {error !== null && <Refused error={error} />}
      <div className="dialog-buttons">
        <Button
          look="danger"
          pending={withdraw.isPending}
          disabled={[...reason.trim()].length < LEAST_REASON}
          onClick={() => void submit()}
        >
          Withdraw these terms
        </Button>
      </div>
    </div>
  );
}
