import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { HISTORY, OVERRIDES, TERMS, TERMS_DRAWER, TERMS_FORM, TERMS_PREVIEW } from "./terms-words.ts";

/** French. */
export const RATES_TERMS_WORDS_FR = translated(
  { TERMS_DRAWER, TERMS_FORM, TERMS_PREVIEW, OVERRIDES, HISTORY, TERMS },
  {
    TERMS_DRAWER: {
      backVersion: (version) => `Retour à la version ${version}`,
      onVersion: (chain, version) => `Sur ${chain}, version ${version}`,
      termsOf: (pair) => `Conditions de ${pair}`,
    },
    TERMS_FORM: {
      spreadHint: "Points de base sous le taux médian",
      maximumHint: (source) => `${source} ; au-delà, une approbation est requise`,
      secondThresholdHint: (source) => `${source} ; vide : jamais`,
      batchMaximumHint: (source) => `${source}, tous les éléments ensemble ; vide : sans maximum`,
      lifetimeHint: "Secondes",
      conflict:
        "Quelqu’un a modifié ces conditions depuis que vous les avez ouvertes. Rien n’a été enregistré. Voici les conditions en vigueur :",
      compareVersion: (version) => `Comparer à la version ${version}`,
      reasonHint: (least) => `Au moins ${least} caractères. Conservé dans l’historique.`,
      saveTerms: (pair) => `Enregistrer les conditions de ${pair}`,
      savePartners: "Enregistrer les conditions du partenaire",
      notSaved: "Non enregistré",
      proposedMore: (pair) => `Les nouveaux seuils de ${pair} s’appliquent dès qu’un autre administrateur les confirme.`,
      termsVersion: (pair, version) => `Conditions de ${pair}, version ${version}`,
    },
    TERMS_PREVIEW: {
      title: "Ce que cela change",
      unfinished: "Remplissez tous les nombres pour voir les changements.",
      nothing: "Aucun changement pour l’instant.",
      none: (obstacle) => `aucune (${obstacle})`,
      nonePriced: "Aucun prix de règlement n’a encore été calculé à ces conditions.",
      quote: (amount, before) => `Une cotation de ${amount} : ${before}{after}`,
      approvals: (settlements, now, two) => {
        const last = plural(settlements, "le dernier règlement", `les ${settlements} derniers règlements`);
        const ofTwo = two === null ? "" : `, dont ${two.proposed} par deux personnes (actuellement ${two.current})`;
        return `Approbations requises sur ${last} : {count} (actuellement ${now})${ofTwo}.`;
      },
    },
    OVERRIDES: {
      none: "Aucun partenaire n’a ses propres conditions",
      noneMore: "Tous les partenaires sont cotés aux conditions de la paire.",
      viewTerms: "Voir",
      terms: (name) => `les conditions de ${name}`,
      add: "Conditions pour un partenaire",
      addHint: "Elles remplacent toutes les conditions de la paire, pour ce partenaire seulement.",
      choosePartner: "Choisissez un partenaire",
      backAllPartners: "Retour à tous les partenaires",
      reason: "Motif du retrait",
      reasonHint: "Dès lors, les conditions de la paire s’appliquent.",
      withdrawTheseTerms: "Retirer ces conditions",
      proposedMore: (pair) => `${pair} : les conditions du partenaire prennent fin dès qu’un autre administrateur le confirme.`,
      withdrawnMore: (pair) => `${pair} : les conditions de la paire s’appliquent à ce partenaire.`,
    },
    HISTORY: {
      label: "Versions, de la plus récente à la plus ancienne",
      version: (version) => `Version ${version}`,
      theInstallation: "L’installation",
      withdrawn: "Retirées : les conditions de la paire s’appliquent.",
      goBackVersion: (version) => `Revenir à la version ${version}`,
    },
    TERMS: {
      labels: {
        enabled: "Activée",
        spread_bps: "Marge",
        platform_fee: "Frais de plateforme",
        minimum_source_amount: "Minimum",
        maximum_source_amount: "Une approbation au-delà de",
        two_approvals_above_amount: "Deux approbations au-delà de",
        batch_maximum_source_amount: "Maximum par lot",
        quote_lifetime_seconds: "Validité de la cotation",
        approved_lifetime_seconds: "Validité après approbation",
      },
      yes: "oui",
      no: "non",
      bps: (points) => `${points} bps`,
      minutes: (minutes) => `${minutes} min`,
      seconds: (seconds) => `${seconds} s`,
    },
  },
);
