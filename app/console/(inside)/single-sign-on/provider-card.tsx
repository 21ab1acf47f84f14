import { type ReactNode, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CodeBlock } from "../../_components/controls/code-block.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Provider } from "./answers.ts";
import { PROVIDER } from "./words.ts";

const ProviderForm = lazyComponent(() => import("./provider-form.tsx").then(({ ProviderForm: Loaded }) => Loaded));

type ProviderCardProps = {
  provider: Provider;
  side: "operator" | "partner";
  self: string;
  onChange: () => void;
  /** The partner whose it is, where that is somebody else. */
  of?: string;
};

/** One provider: its settings, the addresses that the provider needs, and what can be done with it. */
export function ProviderCard({ provider, side, self, onChange, of }: ProviderCardProps) {
  const t = useTranslations(PROVIDER);
  const { identity } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation();
  const [asked, setAsked] = useState<"change" | "confirm" | "remove" | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const { id, in_force, draft } = provider;
  const shown = draft ?? in_force;
  if (shown === null) return null;
  const name = of === undefined ? shown.name : `${of}: ${shown.name}`;
  const close = () => setAsked(null);
  return (
    <Section title={name} aside={<span className="badge">{in_force === null ? t.notYet : t.inForce}</span>}>
      {error !== null && <Refused error={error} />}
      {draft !== null && <p role="status">{t.waits(draft.by)}</p>}
      <dl className="provider-facts">
        <Fact label={t.issuer}>{shown.issuer}</Fact>
        <Fact label={t.clientId}>{shown.client_id}</Fact>
        <Fact label={t.roles}>{shown.roles.map(({ group, role }) => `${group} = ${role}`).join(", ") || t.noRoles}</Fact>
        <Fact label={t.acr}>{shown.demanded_acr ?? t.noAcr}</Fact>
        <Fact label={t.duty}>{shown.is_duty ? t.isDuty : t.noDuty}</Fact>
        <Fact label={t.signInPage}>{provider.sign_in_uri}</Fact>
        <Fact label={t.redirect}>{provider.redirect_uri}</Fact>
        <Fact label={t.signOut}>{provider.sign_out_uri}</Fact>
        <Fact label={t.directory}>{provider.directory_uri}</Fact>
      </dl>
      <div className="button-row">
        {draft !== null && draft.by_id !== self && <Button onClick={() => setAsked("confirm")}>{t.confirm}</Button>}
        {of === undefined && <Button onClick={() => setAsked("change")}>{t.change}</Button>}
        {of === undefined && in_force !== null && (
          <Button
            pending={pending}
            onClick={() =>
              void run(
                () => identity.makeDirectoryToken.mutate({ provider_id: id }),
                (made) => setToken(made.token),
              )
            }
          >
            {t.makeToken}
          </Button>
        )}
        <Button look="danger" onClick={() => setAsked("remove")}>
          {draft !== null && in_force !== null ? t.withdraw : t.remove}
        </Button>
      </div>
      {asked === "change" && <ProviderForm side={side} provider={provider} onSaved={onChange} onClose={close} />}
      {asked === "confirm" && draft !== null && (
        <ConfirmDialog
          title={t.confirmTitle(name)}
          description={t.confirmExplained}
          button={t.confirm}
          mutation={() => identity.confirm.mutate({ provider_id: id, expected: draft.at })}
          onDone={onChange}
          onClose={close}
        />
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={t.removeTitle(name)}
          description={t.removeExplained}
          button={draft !== null && in_force !== null ? t.withdraw : t.remove}
          isDanger
          cancel={t.keep}
          mutation={() => identity.remove.mutate({ provider_id: id, only_draft: draft !== null })}
          onDone={onChange}
          onClose={close}
        />
      )}
      {token !== null && (
        <Dialog open onOpenChange={(open) => !open && setToken(null)} title={t.tokenTitle(name)} description={t.tokenOnce}>
          <CodeBlock text={token} label={t.token} />
          <div className="form-buttons">
            <Button look="primary" onClick={() => setToken(null)}>
              {t.done}
            </Button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Data>{children}</Data>
      </dd>
    </div>
  );
}
