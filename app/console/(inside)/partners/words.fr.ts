import { translated } from "../../_words/translation.ts";
import { PAGE, PARTNER_LIST, PARTNER_SIGNS } from "./words.ts";

/** French. */
export const PARTNERS_WORDS_FR = translated(
  { PAGE, PARTNER_LIST, PARTNER_SIGNS },
  {
    PAGE: { title: "Partenaires" },
    PARTNER_LIST: {
      one: "partenaire",
      many: "partenaires",
      searchedBy: "nom ou identifiant court",
      none: "Aucun partenaire pour l’instant",
      newestFirst: "du plus récent au plus ancien",
    },
    PARTNER_SIGNS: {
      suspended: "Suspendu",
      roles: { AGGREGATOR: "Agrégateur", LIQUIDITY_PROVIDER: "Fournisseur de liquidité" },
    },
  },
);
