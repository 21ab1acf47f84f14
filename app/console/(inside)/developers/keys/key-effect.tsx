import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { Scope } from "#domain/access.ts";
import type { Answers } from "#server/console/router.ts";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { KEY_EFFECT } from "./words.ts";

/** What the end of a key, and of those that end with it, would have refused in the last 30 days. */
export function RevocationEffect({ id }: { id: string }) {
  const { data } = useQuery(useTRPC().developers.tryRevocation.queryOptions({ id }));
  return <KeyEffect effect={data} />;
}

type Rights = { partnerId: string | null; scopes: Scope[]; addresses: string[] };

/** The same if what the partner's keys did had been asked with these rights. */
export function RightsEffect({ partnerId, scopes, addresses }: Rights) {
  const asked = { partner_id: partnerId, scopes, allowed_ips: addresses };
  const { data } = useQuery(useTRPC().developers.tryRights.queryOptions(asked, { placeholderData: (before) => before }));
  return <KeyEffect effect={data} />;
}

function KeyEffect({ effect }: { effect: Answers["developers"]["tryRights"] | undefined }) {
  const t = useTranslations(KEY_EFFECT);
  if (effect === undefined) return <p className="muted">{t.working}</p>;
  const { refused, answered, examined, is_sample: isSample, operations } = effect;
  return (
    <Note {...(refused > 0 && { kind: "warning" as const })}>
      {refused === 0 ? (
        t.none
      ) : (
        <Trans
          sentence={t.some(refused, answered)}
          operations={operations.map(({ operation, count }, place) => (
            <Fragment key={operation}>
              {place > 0 && ", "}
              <code translate="no">{operation}</code> {t.format.count(count)}
            </Fragment>
          ))}
        />
      )}{" "}
      {isSample && t.sample(examined)}
    </Note>
  );
}
