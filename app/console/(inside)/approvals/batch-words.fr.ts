import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { BATCH_PANEL, BATCHES_TAB } from "./batch-words.ts";

/** French. */
export const APPROVALS_BATCH_WORDS_FR = translated(
  { BATCHES_TAB, BATCH_PANEL },
  {
    BATCHES_TAB: {
      none: "Aucun lot en attente",
      whatComesHere:
        "Un lot arrive ici quand l’un de ses éléments dépasse le maximum de sa paire, ou quand leur total dépasse le maximum de la paire par lot.",
      caption: "Lots en attente d’approbation",
      itemCount: (count) => `${count} ${plural(count, "élément", "éléments")}`,
      given: (given, needed) => `${given} ${plural(given, "approbation", "approbations")} sur ${needed}`,
    },
    BATCH_PANEL: {
      label: "Le lot choisi",
      backToList: "Retour à la liste",
      about: (count, given, needed) =>
        `${count} ${plural(count, "règlement", "règlements")}. ${given} ${plural(given, "approbation donnée", "approbations données")} sur ${needed}.`,
      items: "Éléments du lot",
      checking: (known, count) => `Recherche d’anomalies : ${known} sur ${count}…`,
      nothingUnusual: "Rien d’inhabituel.",
      kindOf: (hint, count) => `${hint} : ${count} ${plural(count, "élément", "éléments")}`,
      closeDecision: "Fermer la décision en cours",
      toAcknowledge: (count) => `Confirmez avoir lu ${plural(count, "l’alerte", `les ${count} alertes`)} pour approuver`,
      approves: "Approuve tous les éléments au prix actuel. Aucun fonds n’est déplacé : le partenaire doit confirmer le lot.",
      rejects: "Annule le lot et tous ses éléments. Aucun callback n’est envoyé.",
      isDecided: "Il n’est plus en attente : une autre personne l’a décidé, ou le partenaire l’a annulé.",
      waitsForOthers: "Vous l’avez approuvé. Une autre personne doit aussi l’approuver.",
      reasonHint: (least) => `Le partenaire le lit ; au moins ${least} caractères.`,
      note: "Note (facultatif)",
      typeReference: (reference) => `Saisissez ${reference} pour confirmer`,
      approveAll: (count) => `Approuver les ${count}`,
      rejectAll: (count) => `Rejeter les ${count}`,
      approved: "Lot approuvé",
      rejected: "Lot rejeté",
      notDecided: "Non décidé",
    },
  },
);
