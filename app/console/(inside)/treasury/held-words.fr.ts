import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { CHECK_WORDS, HELD } from "./held-words.ts";

/** French. */
export const TREASURY_HELD_WORDS_FR = translated(
  { CHECK_WORDS, HELD },
  {
    CHECK_WORDS: {
      limit: "Plafond",
      screening: "Filtrage",
      unexplained_payment: "Paiement inexpliqué",
    },
    HELD: {
      label: "Paiements retenus",
      title: (payments) => plural(payments, `${payments} paiement est retenu`, `${payments} paiements sont retenus`),
      line: (partner) => `{amount} à {recipient} pour ${partner ?? "aucun partenaire"}`,
      cause: "{check} : {reason}",
      since: "Retenu {time}. {owner}",
      theTopUp: "L’approvisionnement",
      theSettlement: "Le règlement",
      theWithdrawal: "Le retrait, rien n’est encore prélevé",
      theTreasuryWithdrawal: "Le retrait de trésorerie",
      theReturn: "Le retrait dont la crypto est restituée",
      releaseButton: "Débloquer",
      refuseButton: "Refuser",
      release: {
        title: "Débloquer le paiement",
        description:
          "Toutes les retenues sur ce paiement sont levées. Il est signé dès que les fonds sont là. Les mêmes contrôles ne le retiennent plus pour la même raison. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Débloquer",
        toast: "Le paiement est débloqué",
      },
      refuse: {
        title: "Refuser le paiement",
        description: "Rien n’a été signé. Le paiement échoue définitivement et le partenaire en est informé.",
        button: "Refuser",
        toast: "Le paiement est refusé",
      },
      reason: "Au moins huit caractères ; le partenaire la lit",
    },
  },
);
