import { translated } from "../../_words/translation.ts";
import { ACCOUNT } from "./account-words.ts";

/** French. */
export const TREASURY_ACCOUNT_WORDS_FR = translated(
  { ACCOUNT },
  {
    ACCOUNT: {
      title: (account, currency) => `${account}, ${currency}`,
      newest: (shown) =>
        shown < 25 ? "Toutes les écritures qui forment le solde, les plus récentes d’abord." : "Les 25 écritures les plus récentes.",
      caption: "Écritures du compte, les plus récentes d’abord",
      none: "Aucune écriture",
      steps: {
        executed: "Règlement exécuté",
        collected: "Approvisionnement encaissé",
        sent: "Approvisionnement livré",
        unsent: "Approvisionnement non livré",
        reserved: "Retrait promis",
        taken: "Crypto du retrait prélevée",
        paid: "Retrait payé",
        released: "Promesse levée",
        unpaid: "Retrait non versé",
        returned: "Crypto restituée",
        unreturned: "Crypto non restituée",
        funded: "Financé",
        opened: "Ouvert",
        network_fees: "Frais de réseau",
        lost: "Perte comptabilisée",
        recovered: "Perte récupérée",
        booked: "Comptabilisé par des personnes",
        reversed: "Écriture contrepassée",
        suspended: "Mis en compte d’attente",
        corrected: "Corrigé",
      },
    },
  },
);
