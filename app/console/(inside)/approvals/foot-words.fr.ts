import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { APPROVE_FOOT, BULK_PANEL, BULK_RESULTS, FRESHNESS, REJECT_FOOT } from "./foot-words.ts";

/** French. */
export const APPROVALS_FOOT_WORDS_FR = translated(
  { REJECT_FOOT, APPROVE_FOOT, FRESHNESS, BULK_RESULTS, BULK_PANEL },
  {
    REJECT_FOOT: {
      merchantUnverified: "Le marchand n’a pas pu être vérifié.",
      amountDoesNotFit: "Le montant ne correspond pas à l’activité du marchand.",
      walletUnknown: "Le portefeuille n’est pas connu pour ce marchand.",
      partnerAsked: "Le partenaire nous a demandé de le rejeter.",
      rejectSettlement: "Rejeter le règlement",
      notRejected: "Non rejeté",
      cancelled: (txId) => `${txId} est annulé.`,
      commonReasons: "Motifs courants",
      reasonHint: (given) => `Le partenaire le lit ; au moins ${given} caractères.`,
      consequence: "Annule le règlement. Aucun callback n’est envoyé ; le partenaire voit {state}.",
    },
    APPROVE_FOOT: {
      title: "Approuver le règlement",
      pricing: "Calcul du prix",
      partnerNotNotified: "Le partenaire n’est pas averti avant la dernière approbation.",
      confirmBy: "Le partenaire doit confirmer avant {time}.",
      movesNoFunds: "L’approbation ne déplace aucun fonds.",
      toAcknowledge: (count) => `Confirmez d’abord avoir lu ${plural(count, "l’alerte", `les ${count} alertes`)} ci-dessus.`,
      typeAmount: (sourceAmount, sourceCurrency) => `Saisissez le montant pour l’approuver : ${sourceAmount} ${sourceCurrency}`,
      note: "Note (facultatif, pour le journal d’audit)",
      approve: (place, amount, currency, wallet) => `Approuver ${place === null ? "" : `${place} : `}${amount} ${currency} vers ${wallet}`,
      ofNeeded: (place, needed) => `${place} sur ${needed}`,
      noPrice: "Pas de prix",
      nothingApprovedAt: "Rien n’a été approuvé ({time})",
      priceMoved: (detail, driftToleranceBps) => `${detail} La tolérance est de ${driftToleranceBps} bps.`,
      partnerCanConfirm: (txId) => `Le partenaire peut maintenant confirmer ${txId}.`,
      approvalRecorded: "Approbation enregistrée",
      awaitsSecond: (txId) => `${txId} attend une autre personne.`,
      newPriceRead: "J’ai lu le nouveau prix : {price}",
    },
    FRESHNESS: {
      priceFreshness: "Fraîcheur du prix",
      priceFrozen: "Le prix ne change pas pendant la saisie",
      priceLoading: "Chargement du prix",
      priceRefreshesIn: (left) => `Prix actualisé dans ${left} s`,
      priceRefreshed: "Prix actualisé",
    },
    BULK_RESULTS: {
      priceMoved: "Prix modifié",
      decidedAlready: "Déjà décidé",
      needsTwoApprovals: "Exige deux approbations",
      notApproved: "Non approuvé",
      notSent: "Annulé, non envoyé",
      summary: (approved, count) =>
        `${approved} ${plural(approved, "approuvé", "approuvés")} sur ${count}${approved < count ? ". Les autres restent inchangés." : "."}`,
      results: "Résultats",
    },
    BULK_PANEL: {
      title: "Approuver les règlements sélectionnés",
      excluded: (left) => `${left} ${plural(left, "exclu", "exclus")} : à vérifier un par un`,
      summary: (count) => `${count} à approuver.`,
      selectedSettlements: "Règlements sélectionnés",
      checkingHints: "Recherche d’anomalies en cours",
      includeAnyway: "Alertes lues : inclure",
      movesNoFunds:
        "L’approbation ne déplace aucun fonds. Chaque règlement est approuvé séparément. Un règlement dont le prix a changé n’est pas approuvé.",
      approveCount: (count) => `Approuver ${count} ${plural(count, "règlement", "règlements")}`,
      needsApprovals: (needed) => (needed === 2 ? "Exige deux approbations" : `Exige ${needed} approbations`),
      needsSomeoneElse: "Exige l’approbation d’une autre personne",
      noPrice: "Pas de prix pour le moment",
      decided: "traités",
    },
  },
);
