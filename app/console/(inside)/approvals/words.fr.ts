import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import {
  APPROVAL_QUEUE,
  DECIDED_ALREADY,
  DECISION_STATE,
  PAGE,
  PANEL,
  PAST,
  PAST_LIST,
  POLICY,
  PRICE_CHANGE,
  QUEUE_BAR,
  QUEUE_ROW,
  RECIPIENT,
  RISK,
  USE_QUEUE,
  WAITING,
  WORK_TAB,
} from "./words.ts";

const ORDINALS = ["Première", "Deuxième", "Troisième", "Quatrième"];

/** The statuses come as codes. */
const STATUSES: Readonly<Record<string, string>> = {
  quoted: "coté",
  processing: "en cours",
  executed: "exécuté",
  failed: "échoué",
  cancelled: "annulé",
};
const statusOf = (status: string) => STATUSES[status] ?? status;

const english = {
  PAGE,
  DECIDED_ALREADY,
  RECIPIENT,
  PAST,
  QUEUE_BAR,
  WORK_TAB,
  POLICY,
  QUEUE_ROW,
  USE_QUEUE,
  APPROVAL_QUEUE,
  RISK,
  PAST_LIST,
  DECISION_STATE,
  PANEL,
  PRICE_CHANGE,
  WAITING,
};

/** French. */
export const APPROVALS_WORDS_FR = translated(english, {
  PAGE: { title: "Approbations" },
  DECIDED_ALREADY: {
    noLongerAwaits: (status) => `Plus aucune décision n’est attendue. État du règlement : ${statusOf(status)}.`,
    alreadyBy: (approved, by) => `Déjà ${approved ? "approuvé" : "rejeté"} par ${by}, {time}.`,
    yourNote: "Votre saisie",
    copyYourNote: "Copier votre saisie",
  },
  RECIPIENT: {
    recipient: "Destinataire",
    copyWallet: "Copier l’adresse du portefeuille",
    known: (uses, executed) => {
      if (executed > 0)
        return `Portefeuille déjà payé ${executed === 1 ? "une fois" : `${executed} fois`} par ce partenaire, toutes devises`;
      return uses === 0
        ? "Première utilisation"
        : `Portefeuille jamais payé par ce partenaire, dans ${uses} ${plural(uses, "cotation antérieure", "cotations antérieures")}`;
    },
    earlierWallets: (count) => `Le marchand a eu ${count} ${plural(count, "autre portefeuille", "autres portefeuilles")} avant`,
  },
  PAST: {
    label: "Montants antérieurs à celui-ci",
    title: (currency) => `Montants antérieurs en ${currency}`,
    earlier: "un montant antérieur",
    thisOne: "celui-ci",
    lastOfMerchant: (count) => (count === 0 ? "Marchand" : plural(count, "Dernier du marchand", `${count} derniers du marchand`)),
    lastToWallet: (count) => (count === 0 ? "Portefeuille" : plural(count, "Dernier du portefeuille", `${count} derniers du portefeuille`)),
    noneOfMerchant: "Son premier règlement dans cette devise",
    noneOfWallet: "Son premier règlement dans cette devise",
    rank: (below, count) => {
      if (below < count) return `au-dessus de ${below} sur ${count}`;
      return plural(count, "au-dessus du précédent", `au-dessus des ${count}`);
    },
    ofMerchant: (count, below) =>
      `${plural(count, "Le dernier montant", `Les ${count} derniers montants`)} du marchand : de {least} à {most}. Celui-ci en dépasse ${below}.`,
    ofWallet: (count, below) =>
      `${plural(count, "Le dernier montant", `Les ${count} derniers montants`)} du portefeuille : de {least} à {most}. Celui-ci en dépasse ${below}.`,
  },
  QUEUE_BAR: {
    sorts: { waiting: "Attente la plus longue", amount: "Montant le plus élevé", risk: "Le plus d’alertes" },
    selected: (count) => `${count} ${plural(count, "sélectionné", "sélectionnés")}`,
    selectAll: "Tout sélectionner",
    order: "Ordre",
    approveSelected: "Approuver la sélection…",
  },
  WORK_TAB: {
    approved: (count) => `${count} ${plural(count, "approuvé", "approuvés")}.`,
  },
  POLICY: {
    thisAmount: "Ce montant",
    timesFirstThreshold: "{times} le seuil d’approbation de {maximum}",
    rule: "Règle",
    approvalsByAmount: (maximum, currency, two) =>
      `Au-delà de ${maximum} ${currency} : une approbation${two === null ? "" : ` ; au-delà de ${two} ${currency} : deux`}.`,
    noBalanceKnown: "Aucun solde connu pour l’instant.",
    moreThanHundred: "plus de 100",
    walletCovers: "Le portefeuille couvre {times}",
    walletHas: "Le portefeuille couvre {times} : il a {amount}",
    together: (others, two) =>
      `Avec ${others} ${plural(others, "autre en attente", "autres en attente")} pour ce marchand : {sum} au total${two === null ? "." : ` ; deux approbations au-delà de ${two}.`}`,
    togetherShort: (sum) => `${sum} au total`,
    partnerMustPoll: "Pas d’adresse de callback à la création. Le partenaire doit interroger l’API pour voir l’approbation.",
    approvalCallbackTo: "Callback d’approbation vers",
    approvalsNeeded: (needed, forAmount) =>
      `${needed === 2 ? "Deux personnes" : `${needed} personnes différentes`} doivent approuver ce ${forAmount ? "montant" : "règlement"}. La première approbation ne change rien pour le partenaire : prix et expiration restent les mêmes.`,
    approvalGivenBy: (place, isMine, by, note) =>
      `${ORDINALS[place] ?? "Autre"} approbation, par ${isMine ? "vous" : by}, {time}${note ? ` : « ${note} »` : ""}.`,
    approvalVoid: "Elle ne compte plus : cette personne a perdu son rôle depuis, ou ne fait pas partie de celles qui peuvent approuver.",
    nextStep: (left, isMine) => {
      if (left > 1) return `Il manque ${left} approbations d’autres personnes.`;
      if (left < 1) return "Les approbations suffisent. Une personne qui en a donné une, ou toute autre qui peut approuver, doit terminer.";
      return isMine ? "Une autre personne doit donner la dernière." : "La prochaine approbation décide, au prix du moment.";
    },
    approvalsGiven: (given, needed) => `${given} sur ${needed}`,
    beingReviewedBy: (by) => `En vérification par ${by}`,
  },
  QUEUE_ROW: {
    select: (externalMerchantId, source, sourceCurrency) => `Sélectionner ${externalMerchantId}, ${source} ${sourceCurrency}`,
    waitsForOthers: "Attend l’accord d’une autre personne",
    noPrice: ", pas de prix actuellement",
    partnerMustPoll: "Le partenaire doit interroger l’API",
    noCallback: "Pas de callback",
  },
  USE_QUEUE: {
    nextSettlement: "Règlement suivant",
    previousSettlement: "Règlement précédent",
    select: "Sélectionner le règlement choisi",
    approve: "Approuver le règlement choisi",
    reject: "Rejeter le règlement choisi",
    clearOrBack: "Effacer la sélection, ou revenir à la liste",
    decidedAndRemaining: (outcome, externalMerchantId, waiting) =>
      `${outcome} : ${externalMerchantId}. ${waiting - 1} ${plural(waiting - 1, "restant", "restants")} ici.`,
    outcomes: { approved: "Approuvé", recorded: "Approbation enregistrée", rejected: "Rejeté" },
  },
  APPROVAL_QUEUE: {
    waiting: "En attente",
    needsSecondApproval: "Seconde approbation requise",
    awaitingSecondApproval: "En attente d’une seconde approbation",
    noneAwaitSecond: "Rien n’attend de seconde approbation",
    batches: "Lots",
    lapsedAfterApproval: "Expiré après approbation",
    approvals: "Approbations",
    noneWaiting: "Rien en attente",
    medianDecision: (given) => `La moitié des décisions des dernières 24 heures ont pris moins de ${given}.`,
    whatComesHere: "Les règlements au-dessus du seuil d’approbation d’une paire arrivent ici pour décision.",
  },
  RISK: {
    noneFound:
      "Vérifié, rien trouvé : portefeuille nouveau ou changé, trois fois le montant habituel d’un marchand avec cinq règlements ou plus en 30 jours, plusieurs juste sous le seuil d’approbation en 24 h, répétitions en 10 min.",
    hints: {
      wallet_changed: "Portefeuille changé",
      just_under_maximum: "Juste sous le seuil",
      far_above_usual: "Très au-dessus de l’habituel",
      repeated: "Répété",
      first_wallet_use: "Nouveau portefeuille",
    },
    evidence: (count) => `${count} ${plural(count, "règlement", "règlements")} à l’appui`,
    usualAmount: (compared) => `95 sur 100 sont restés sous {money}. Règlements comparés : ${compared}.`,
  },
  PAST_LIST: {
    verbs: {
      "settlement.approved": "Approuvé",
      "settlement.rejected": "Rejeté",
      "settlement.approval_recorded": "Première approbation",
    },
    partnerMerchant: "Partenaire · marchand",
    netAmount: "Montant net",
    yourDecision: "Votre décision",
    statusNow: "État actuel",
    noteOrReason: "Note ou motif",
    lapsed: "Expiré",
    decidedCaption: "Règlements que vous avez décidés, du plus récent au plus ancien",
    noneDecided: "Rien de décidé pour l’instant",
    noneDecidedMore: "Ce que vous approuvez ou rejetez s’affiche ici.",
    lapsedCaption: "Règlements approuvés qui ont expiré, du plus récent au plus ancien",
    noneLapsed: "Rien d’expiré",
    noneLapsedMore: "Les règlements approuvés dont le partenaire a laissé expirer le nouveau prix s’affichent ici.",
  },
  DECISION_STATE: {
    decidedOf: (count, waiting) => {
      const decided = count - waiting;
      const left = `${waiting} ${plural(waiting, "attend encore", "attendent encore")} une décision`;
      return `${decided} ${plural(decided, "décidé", "décidés")} sur ${count}, ${left}.`;
    },
    firstOfTwo: (first, at) => `une approbation sur deux est enregistrée, par ${first}, ${at}.`,
    stillAwaits: "une décision est encore attendue. Votre demande ne sera pas exécutée plus tard. Recommencez si vous la voulez toujours.",
    noLongerAwaits: (status) => `plus aucune décision n’est attendue. État : ${statusOf(status)}.`,
    decidedBy: (approved, decision, at) => `${approved ? "approuvé" : "rejeté"}, par ${decision}, ${at}.`,
  },
  PANEL: {
    label: "Décision",
    backToList: "Retour à la liste",
    pricingUnavailable: (detail) => `Prix indisponible : ${detail}`,
    closeDecision: "Fermer la décision en cours",
    toAcknowledge: (count) => `Confirmez avoir lu ${plural(count, "l’alerte", `les ${count} alertes`)} pour approuver`,
    waitingSince: "En attente depuis {time}",
    openSettlement: "Tout sur ce règlement",
  },
  PRICE_CHANGE: {
    samePrice: "Même prix :",
    ofFee: "de frais",
    atRate: "au taux {rate}",
    validOnceApproved: "Une fois approuvé, il est valable jusqu’à {time}.",
    lapsedAndRenewed: "Cotation d’origine expirée ; l’approbation la renouvelle jusqu’à {time}.",
    title: "Prix coté et prix à l’approbation",
    caption: "Le prix coté et le prix à l’approbation",
    quoted: "Coté",
    differenceHeading: "Écart",
    onApproval: "À l’approbation",
    net: (unit) => `Net, ${unit}`,
    unchanged: "inchangé",
    percent: (percent) => `${percent} %`,
    bps: (bps) => `${bps} bps`,
  },
  WAITING: {
    due: ", à échéance",
    late: ", en retard",
    waiting: "en attente",
  },
});
