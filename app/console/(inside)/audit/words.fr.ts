import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { AUDIT_LOG, CHAIN_LINE, PAGE } from "./words.ts";

/** French. */
export const AUDIT_WORDS_FR = translated(
  { PAGE, AUDIT_LOG, CHAIN_LINE },
  {
    PAGE: { title: "Journal d’audit" },
    AUDIT_LOG: {
      allPeople: "Toutes les personnes",
      allKeys: "Toutes les clés",
      service: "Le service lui-même",
      entry: "entrée",
      entries: "entrées",
      anyone: "N’importe qui",
      onePerson: "une personne",
      objectHint: "L’identifiant complet : tx_…, celui d’un partenaire ou d’une clé",
      objectWithId: (id) => `objet ${id}`,
      title: "Journal d’audit",
      caption: "Journal d’audit, par date décroissante",
      noMatch: (held) => `Rien n’a été enregistré pour : ${held}.`,
      none: "Rien n’a encore été enregistré",
    },
    CHAIN_LINE: {
      verified: (seq) => `Vérifié jusqu’à ${seq}`,
      fails: "La vérification du journal d’audit échoue",
      chainSeals: "Chaîne de sceaux",
      notVerified: (seq) => `Scellé jusqu’à ${seq} ; pas encore vérifié.`,
      flawsFound: (flaws, seq) => `${flaws} ${plural(flaws, "défaut trouvé", "défauts trouvés")} jusqu’à ${seq}`,
      verifiedBy: (by) => ` par ${by}`,
      notYet: (count) =>
        count === "1"
          ? "1 entrée plus récente a un sceau non encore vérifié."
          : `${count} entrées plus récentes ont un sceau non encore vérifié.`,
      waitForSeal: (unsealed) => `· ${unsealed} ${plural(unsealed, "entrée attend un sceau", "entrées attendent un sceau")}`,
      verifyNow: "Vérifier maintenant",
      entries: "entrées",
      flaws: "Défauts",
    },
  },
);
