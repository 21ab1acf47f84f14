import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { DEPLOY_WIZARD, DEPLOYMENT, DEPLOYMENT_LIST, DEPLOYMENT_PAGE, DEPLOYMENT_STORY, KINDS, PAGE, PURPOSES, STATES } from "./words.ts";

const ENGLISH = { PAGE, DEPLOYMENT, DEPLOYMENT_LIST, DEPLOY_WIZARD, DEPLOYMENT_STORY, PURPOSES, DEPLOYMENT_PAGE, KINDS, STATES };

/** French. */
export const SAFES_WORDS_FR = translated(ENGLISH, {
  PAGE: { title: "Déploiements de Safe" },
  DEPLOYMENT: { title: "Déploiement de Safe" },
  DEPLOYMENT_LIST: {
    many: "déploiements",
    deploy: "Déployer",
    none: "Aucun déploiement pour l’instant",
    noneMore: "Le service déploie un Safe pour chaque membre sans portefeuille propre.",
    deployment: "Déploiement",
  },
  DEPLOY_WIZARD: {
    title: "Déployer un contrat",
    owners: "Propriétaires",
    ownersHint: "Une adresse par ligne",
    thresholdWanted: "Saisissez au moins 1 et au plus le nombre de propriétaires.",
    ownerWanted: "Saisissez au moins un propriétaire.",
    noAddress: (wrong) => `${wrong} n’est pas une adresse.`,
    ownerTwice: "Saisissez chaque propriétaire une seule fois.",
    deploy: (kind) => `Déployer : ${kind}`,
    thresholdHint: (owners) =>
      owners === 0 ? "Combien de propriétaires doivent signer" : `Combien de propriétaires, sur ${owners}, doivent signer`,
    ownersOf: (count) => plural(count, "Propriétaire", "Propriétaires"),
    thresholdOf: (threshold, count) => `${threshold} sur ${count}`,
    warning: "Le déploiement dépense du gaz de la trésorerie et ne peut pas être annulé.",
    open: "Ouvrir le déploiement",
  },
  DEPLOYMENT_STORY: {
    thresholdOf: (threshold, count) => `${threshold} sur ${count}`,
    noRecipient: "Aucun : la transaction crée le contrat",
    receiver: "récepteur",
    gasLimit: "Limite de gaz",
    chainId: "Identifiant de chaîne",
    dataLabel: "Données de la transaction",
    data: (bytes) => `Données, ${bytes} octets`,
    ownersOf: (count) => plural(count, "Propriétaire", "Propriétaires"),
  },
  PURPOSES: {
    member: "Le Safe d’un membre",
    shared: "Pour tous les Safes de la chaîne",
    operator: "Propre à l’opérateur",
  },
  DEPLOYMENT_PAGE: {
    safes: "Safes",
    theService: "le service",
  },
  KINDS: {
    safe: "Safe",
    master_copy: "Contrat maître",
    proxy_factory: "Fabrique de proxys",
    fallback_handler: "Gestionnaire de repli",
    owner_swap: "Nouveau propriétaire",
  },
  STATES: {
    asked: "En file d’attente",
    owed: "En route",
    made: "En vérification",
    deployed: "Déployé",
    failed: "Échoué",
  },
});
