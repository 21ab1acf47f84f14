import { translated } from "../../_words/translation.ts";
import { ABSENCE, PAGE, QUEUE } from "./words.ts";

/** French. */
export const QUEUE_WORDS_FR = translated(
  { PAGE, QUEUE, ABSENCE },
  {
    PAGE: { title: "Ma file" },
    QUEUE: {
      summary: (yours, overdue) => {
        const waits = yours === 1 ? "1 décision vous attend" : `${yours} décisions vous attendent`;
        return overdue === 0 ? `${waits}.` : `${waits}, dont ${overdue} en retard.`;
      },
      forYou: "Pour vous",
      forYouCaption: "Décisions qui vous attendent, de la plus ancienne à la plus récente",
      forOthers: "Pour une autre personne",
      forOthersCaption: "Ce qui attend l’accord d’une autre personne",
      noneForYou: "Rien ne vous attend",
      noneForYouMore:
        "Les règlements, propositions, paiements retenus et paiements en vérification arrivent ici quand vous pouvez en décider.",
      more: "Voici les plus anciens. Les autres suivent quand ceux-ci sont décidés.",
      kinds: {
        settlement: "Règlement",
        batch: "Lot",
        proposal: "Proposition",
        hold: "Paiement retenu",
        review: "Paiement en vérification",
        order: "Ordre fiat",
      },
      verbs: { settlement: "Décider", batch: "Décider", proposal: "Confirmer", hold: "Débloquer", review: "Vérifier", order: "Résoudre" },
      open: "Ouvrir",
      about: { topup: "Approvisionnement à l’issue inconnue", withdrawal: "Retrait à l’issue inconnue" },
      waitsSince: "Attend depuis",
      promised: "Promis",
      dueIn: (time) => `dans ${time}`,
      overdueBy: (time) => `en retard de ${time}`,
      passedTo: "Transmis à {name}, {time}",
      passedToYou: "Transmis à vous, {time}",
      verbOf: (verb, what) => `${verb} : ${what}`,
    },
    ABSENCE: {
      title: "Quand vous êtes absent",
      explained:
        "Jusqu’à votre retour, une autre personne reçoit aussi les demandes de décision, par la cloche et par son propre e-mail ou webhook. Cela ne lui donne aucun droit nouveau.",
      away: "Vous êtes absent jusqu’au {time}. {name} vous remplace.",
      substitute: "Qui vous remplace",
      until: "Jusqu’au",
      untilWanted: "Choisissez un jour dans les 90 prochains jours.",
      none: "Personne d’autre ne peut encore décider.",
      save: "Enregistrer l’absence",
      end: "Je suis de retour",
      ended: "Bon retour",
      endedMore: "Les décisions ne sont de nouveau demandées qu’à vous.",
      formerColleague: "Un ancien collègue",
    },
  },
);
