import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { FIGURES, HEALTH, OPENING, OVERVIEW, RANGES, SETUP } from "./words.ts";

const some = (count: number, one: string, many: string) => `${count} ${plural(count, one, many)}`;

/** French. */
export const OVERVIEW_WORDS_FR = translated(
  { OVERVIEW, HEALTH, OPENING, FIGURES, RANGES, SETUP },
  {
    OVERVIEW: {
      title: "Vue d’ensemble",
      more: "Plus de chiffres",
      fewer: "Moins de chiffres",
      newest: "Derniers règlements",
      newestCaption: "Les dix derniers règlements",
      all: "Tous les règlements",
      noneYetMore: "Les étapes ci-dessus mènent au premier.",
      loadingHealth: "Chargement de l’état du service",
      loadingFigures: "Chargement des chiffres clés",
      loadingPlot: "Chargement d’un graphique",
    },
    HEALTH: {
      label: "État du service",
      unknown: "inconnu",
      worker: {
        name: "Worker",
        well: "actif",
        gone: "aucun n’est actif",
        behind: "des tâches dues attendent",
        payments: "des paiements attendent",
      },
      service: {
        name: "Service",
        well: "répond",
        slow: "a du mal à répondre",
        delayed: "les paiements sont retardés",
        away: "ne répond pas",
      },
      chain: {
        name: "Chaîne",
        well: "produit des blocs",
        still: "pas de nouveaux blocs",
        halted: (halts) => some(halts, "arrêt en vigueur", "arrêts en vigueur"),
      },
      callbacks: {
        name: "Callbacks",
        well: "tous remis",
        none: "aucun envoyé pour l’instant",
        failing: (undelivered, retrying) =>
          [
            ...(undelivered > 0 ? [`${undelivered.toLocaleString("fr")} non remis`] : []),
            ...(retrying > 0 ? [`${retrying.toLocaleString("fr")} en cours de réessai`] : []),
          ].join(", "),
      },
      rates: {
        name: "Taux",
        well: (count) => (count === 1 ? "à jour" : `les ${count} à jour`),
        partner: "cotation active",
        halted: (pairs) => (pairs.length === 1 ? `${pairs[0]} non cotée` : some(pairs.length, "paire non cotée", "paires non cotées")),
      },
      openQuotes: {
        name: "Cotations ouvertes",
        none: "aucune",
        pairs: (count) => `dans ${count} ${plural(count, "paire", "paires")}`,
        open: (pair, open, change) => `${pair} ${open}${change === null ? "" : `, ${change} par le taux depuis`}`,
      },
      attestation: {
        name: "Attestation des avoirs",
        none: "aucune pour l’instant",
        made: (hours, ago) => (hours < 1 ? "faite il y a moins d’une heure" : `faite il y a ${ago}`),
        old: (ago) => `il y a ${ago}`,
      },
      treasury: {
        name: "Trésorerie",
        well: "suffisante",
        unread: "pas encore lue",
        lasts: (time) => `autonomie ${time}`,
        low: (currency, low, wallets) =>
          low.length === wallets
            ? `${currency} bas`
            : `${currency} bas dans ${low.join(", ")}, ${low.length} ${plural(low.length, "portefeuille", "portefeuilles")} sur ${wallets}`,
      },
    },
    OPENING: {
      queue: "Ma file",
      title: "Ce qui demande une intervention",
      label: "À traiter",
      need: (count) => {
        if (count === 0) return "Rien ne demande d’intervention.";
        return count === 1 ? "Un point demande une intervention." : `${count} points demandent une intervention.`;
      },
      money: {
        moves: "Les paiements partent.",
        waits: "Les paiements attendent.",
        unknown: "On ne sait pas pour le moment si les paiements partent.",
      },
      oldest: (age) => `le plus ancien : ${age}`,
      others: (count) => `et ${some(count, "attend", "attendent")} l’accord d’une autre personne`,
      confirm: (count) =>
        some(count, "proposition attend l’accord d’une autre personne", "propositions attendent l’accord d’une autre personne"),
      awaiting: (count) => some(count, "règlement attend une approbation", "règlements attendent une approbation"),
      review: (count) => some(count, "paiement demande une vérification", "paiements demandent une vérification"),
      held: (count) => some(count, "paiement retenu attend une décision", "paiements retenus attendent une décision"),
      ambiguous: (count) =>
        `${some(count, "ordre incertain", "ordres incertains")} chez le prestataire, ou ${plural(count, "payé", "payés")} trop tard`,
      approved: (count) => `${some(count, "approuvé", "approuvés")}, à confirmer avant expiration`,
      slow: (count) => `${count} en cours > 10 min`,
      verbs: {
        decide: (count) => `Décider ${count}`,
        confirm: (count) => `Confirmer ${count}`,
        review: (count) => `Vérifier ${count}`,
        release: (count) => `Débloquer ou refuser ${count}`,
        resolve: (count) => `Résoudre ${count}`,
        resend: (count) => `Renvoyer ${count.toLocaleString("fr")}`,
        look: (count) => `Voir ${count.toLocaleString("fr")}`,
        see: "Voir",
        treasury: "Approvisionner",
      },
    },
    FIGURES: {
      label: (chosen, before) => `Chiffres clés : ${chosen}${before === null ? "" : `, comparés avec ${before}`}`,
      helpOf: (name, help) => `${name} : ${help}`,
      noneBefore: "rien avant",
      nothingBefore: (before) => `Aucune comparaison : pas de règlement pendant ${before}.`,
      wasValue: (value) => `avant : ${value}`,
      changed: (change, value) => `${change}, avant : ${value}`,
      unchanged: "inchangé",
      volume: {
        name: "Volume",
        help: "Montants remis aux portefeuilles sur cette période, par jeton. Des devises différentes ne sont jamais additionnées.",
        changes: (changes) => changes,
      },
      executed: { name: "Exécutés", help: "Règlements exécutés sur cette période, quelle que soit leur date de création." },
      success: {
        name: "Réussite",
        of: "parmi les exécutés et les échoués",
        help: "Exécutés ÷ (exécutés + échoués), parmi les règlements créés sur cette période. Les annulés, rejetés et expirés ne comptent pas.",
      },
      callbacks: { name: "Callbacks remis" },
      execution: {
        name: "De la cotation à l’exécution",
        help: "Temps médian de la cotation à l’exécution, pour les règlements exécutés sur cette période.",
      },
      decision: {
        name: "Délai d’approbation",
        help: "Temps médian de la création à la décision, pour les approbations et les rejets de cette période.",
      },
      lapsed: {
        name: "Cotations expirées",
        help: (left) =>
          `Cotations créées sur cette période et non confirmées à temps.${left === "" ? "" : ` Elles auraient remis ${left}.`}`,
      },
    },
    RANGES: {
      legend: "Période",
      "1h": { short: "1 h", chosen: "Dernière heure", before: "l’heure précédente" },
      "24h": { short: "24 h", chosen: "Dernières 24 heures", before: "les 24 heures précédentes" },
      "7d": { short: "7 j", chosen: "7 derniers jours", before: "les 7 jours précédents" },
      "30d": { short: "30 j", chosen: "30 derniers jours", before: "les 30 jours précédents" },
      days: "Jours…",
      fromTo: (from, to) => `du ${from} au ${to}`,
      dayBefore: "le jour précédent",
      daysBefore: (days) => `les ${days} jours précédents`,
      compare: "Comparer",
      against: (before) => `Comparer avec ${before}`,
      choose: "Choisir des jours",
      show: "Afficher ces jours",
      to: "Au (inclus)",
      noFirst: "Choisissez le premier jour.",
      noLast: "Choisissez le dernier jour.",
      wrongOrder: "Le dernier jour précède le premier.",
      tooMany: (most) => `Choisissez ${most} ${plural(most, "jour", "jours")} au plus.`,
    },
    SETUP: {
      apiKey: "Une clé d’API",
      apiKeyMore: "Un propriétaire en crée une ; son secret est affiché une seule fois.",
      firstSignedCall: "Le premier appel signé",
      firstSignedCallMore: "POST /api/v1/echo montre comment votre signature a été lue.",
      firstQuote: "La première cotation",
      firstQuoteMore: "POST /api/v1/settlements.",
      firstConfirmation: "La première confirmation",
      firstConfirmationMore: "POST …/confirm avant l’expiration de la cotation.",
      firstExecution: "La première exécution",
      firstExecutionMore: "Automatique, dès que le paiement a assez de confirmations.",
      firstCallback: "Le premier callback acquitté",
      firstCallbackMore: "Votre récepteur le vérifie et répond 2xx.",
      title: "Mise en place",
      goLive: "Ensuite : la liste de contrôle avant la production",
      done: (done, count) => `${done} sur ${count} ${plural(done, "terminée", "terminées")}`,
      label: "Étapes jusqu’au premier règlement",
      doneLabel: "Terminé",
      linkTo: (word) => `pour : ${word}`,
      how: "Comment",
    },
  },
);
