import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { PAST_EFFECT } from "./effect-words.ts";

/** French. */
export const TREASURY_EFFECT_WORDS_FR = translated(
  { PAST_EFFECT },
  {
    PAST_EFFECT: {
      none: "Au cours des 30 derniers jours, cela n’aurait arrêté aucun paiement.",
      some: (payments, partners) =>
        `Au cours des 30 derniers jours, cela aurait arrêté ${payments.toLocaleString("fr")} ${plural(payments, "paiement", "paiements")} de ${partners} ${plural(partners, "partenaire", "partenaires")} : {sums}.`,
      sample: (examined) => `Seuls les ${examined.toLocaleString("fr")} paiements les plus récents ont été examinés.`,
      working: "Essai sur les 30 derniers jours…",
    },
  },
);
