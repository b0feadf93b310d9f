// The French words.
#pragma once
#include "words/words.hpp"

namespace recruiting {

inline constexpr words french = {
    .language = "fr",
    .thousands = "\u202F",
    .skip = "Aller au contenu",
    .open_jobs = "Offres d’emploi",
    .search = "Rechercher",
    .department = "Service",
    .location = "Lieu",
    .workplace = "Mode de travail",
    .employment = "Type d’emploi",
    .any = "Tous",
    .show = "Afficher",
    .reset = "Tout afficher",
    .no_jobs = "Aucune offre ne correspond.",
    .previous = "Page précédente",
    .next = "Page suivante",
    .pages = "Pages",
    .salary = "Salaire",
    .published = "Publiée le",
    .closes = "Expire le",
    .invited = "Vous êtes invité à un entretien\u00A0? Choisissez une heure",
    .without_script = "Choisir une heure ici demande JavaScript. Sans lui, répondez à l’e-mail d’invitation.",
    .original = "L’offre d’origine",
    .not_found = "Cette page n’existe pas",
    .not_found_text = "L’adresse est peut-être erronée, ou l’offre n’est plus ouverte.",
    .unavailable = "Indisponible pour le moment",
    .unavailable_text = "Réessayez plus tard.",
    .refused = "Cela n’a pas fonctionné",
    .refused_text = "La demande n’a pas été comprise.",
    .request = "Demande",
    .on_site = "Sur site",
    .hybrid = "Hybride",
    .remote = "Télétravail",
    .full_time = "Temps plein",
    .part_time = "Temps partiel",
    .contract = "Indépendant",
    .temporary = "Temporaire",
    .internship = "Stage",
    .other = "Autre",
    .year = "par an",
    .month = "par mois",
    .week = "par semaine",
    .day = "par jour",
    .hour = "par heure",
    .time =
        {
            .weekdays = {"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
            .months = {"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                       "novembre", "décembre"},
            .first_of_month = "1er",
            .day = "{weekday} {day} {month} {year}",
            .moment = "{date} à {clock} ({zone}, UTC{offset})",
            .length = "{minutes} minutes",
        },
    .interview =
        {
            .booked = "Votre entretien est réservé",
            .canceled = "Votre entretien est annulé",
            .unplaced = "Veuillez choisir un autre horaire",
            .over = "Votre entretien est terminé",
            .begun = "Votre entretien a commencé",
            .notice_booked = "Votre entretien est réservé à l’horaire ci-dessous. Un e-mail avec tous les détails est "
                             "en route.",
            .notice_unchanged = "C’est déjà l’horaire de votre entretien. Rien n’a été modifié.",
            .notice_canceled = "Votre entretien est annulé. Un e-mail le confirme.",
            .notice_taken = "Cet horaire vient d’être pris. Veuillez en choisir un autre.",
            .notice_not_offered = "Cet horaire n’est pas proposé. Veuillez en choisir un autre.",
            .notice_closed = "L’entretien a commencé\u00A0: il ne peut plus être modifié ici.",
            .notice_choose = "Veuillez choisir l’un des horaires.",
            .not_free = "L’horaire demandé n’est plus libre. Rien n’est encore réservé.",
            .declined = "La personne qui devait mener l’entretien n’est pas disponible à cet horaire. Rien n’est "
                        "réservé pour le moment.",
            .when = "Quand",
            .asked_for = "Horaire demandé",
            .duration = "Durée",
            .with = "Avec",
            .job = "Poste",
            .stage = "Étape",
            .join = "Rejoindre l’entretien",
            .add_to_calendar = "Ajouter au calendrier",
            .other_times = "Choisir un autre horaire",
            .times = "Choisir un horaire",
            .no_times = "Aucun autre horaire n’est libre pour le moment. Veuillez revenir plus tard.",
            .times_zone = "Les heures sont celles de {zone}.",
            .move = "Déplacer l’entretien",
            .book = "Réserver cet horaire",
            .cancel = "Annuler l’entretien",
            .cancel_frees = "L’horaire est aussitôt proposé à d’autres.",
            .cancel_keeps = "Avec ce lien, vous pourrez toujours choisir un autre horaire plus tard.",
            .cancel_confirm = "Oui, annuler l’entretien",
            .closed = "Il ne peut plus être modifié ici.",
            .local_time = "{time} dans votre fuseau horaire, {zone}",
            .local_clock = "{time} chez vous",
            .dead_link = "Ce lien ne fonctionne pas",
            .dead_link_text =
                "Il est peut-être incomplet, ou il a expiré. Veuillez ouvrir en entier le lien du dernier "
                "e-mail au sujet de votre entretien.",
            .join_opens = "Ce lien mènera à l’entretien à partir du {time}.",
            .join_not_set = "L’adresse de l’entretien n’est pas encore définie. Veuillez rouvrir ce lien dans quelques "
                            "minutes\u00A0; si cela ne suffit pas, contactez {organization}.",
            .join_moved = "L’entretien a été déplacé. Voici l’horaire actuel.",
            .join_canceled = "Il n’y a pas d’entretien à rejoindre. Le dernier e-mail au sujet de votre entretien "
                             "contient un lien pour choisir un autre horaire.",
        },
    .decline =
        {
            .question = "Décliner cet entretien\u00A0?",
            .effect = "L’entretien est annulé et la personne candidate reçoit un e-mail pour choisir un autre horaire. "
                      "Vous n’êtes plus proposé à cet horaire.",
            .confirm = "Oui, décliner l’entretien",
            .declined = "Vous avez décliné cet entretien",
            .declined_text = "La personne candidate reçoit un e-mail pour choisir un autre horaire. Un e-mail vous est "
                             "envoyé et retire l’entretien de votre calendrier.",
            .repeated = "L’entretien était déjà décliné. Rien n’a été modifié.",
            .moved = "Cet entretien a été déplacé",
            .moved_text =
                "Pour le décliner à son horaire actuel, veuillez utiliser le lien du dernier e-mail à son sujet.",
            .canceled = "Cet entretien est annulé. Il n’y a rien à décliner.",
            .begun = "L’entretien a commencé\u00A0: il ne peut plus être décliné ici.",
        },
    .mail =
        {
            .label_end = "\u00A0:",
            .hello = "Bonjour {name},",
            .hello_unnamed = "Bonjour,",
            .confirmed_subject = "Votre entretien est confirmé\u00A0: {job}",
            .rescheduled_subject = "Votre entretien a été déplacé\u00A0: {job}",
            .canceled_subject = "Votre entretien a été annulé\u00A0: {job}",
            .slot_taken_subject = "Veuillez choisir un autre horaire pour votre entretien\u00A0: {job}",
            .already_booked_subject = "Vous avez déjà un entretien\u00A0: {job}",
            .declined_subject = "Votre entretien doit être replanifié\u00A0: {job}",
            .confirmed = "Votre entretien avec {organization} pour le poste «\u00A0{job}\u00A0» est confirmé.",
            .rescheduled = "Votre entretien avec {organization} pour le poste «\u00A0{job}\u00A0» a été déplacé à un "
                           "autre horaire.",
            .canceled = "Votre entretien avec {organization} pour le poste «\u00A0{job}\u00A0» a été annulé.",
            .slot_taken = "L’horaire demandé pour votre entretien avec {organization} pour le poste "
                          "«\u00A0{job}\u00A0» vient d’être pris. Rien n’est encore réservé\u00A0: veuillez choisir un "
                          "autre horaire.",
            .already_booked = "Quelqu’un, probablement vous, a demandé un entretien avec {organization} pour le poste "
                              "«\u00A0{job}\u00A0» avec cette adresse. Vous en avez déjà un\u00A0; il reste tel "
                              "quel\u00A0:",
            .declined = "La personne qui devait mener votre entretien avec {organization} pour le poste "
                        "«\u00A0{job}\u00A0» n’est malheureusement pas disponible à l’horaire prévu. Rien n’est "
                        "réservé pour le moment\u00A0: veuillez choisir un autre horaire.",
            .before = "Auparavant",
            .taken = "Déjà pris",
            .join = "Rejoindre",
            .manage_link = "Déplacer ou annuler l’entretien",
            .rebook_link = "Réserver un autre horaire",
            .pick_link = "Choisir un autre horaire",
            .link_note = "Ce lien est pour vous seul\u00A0: toute personne qui l’a peut modifier l’entretien. Il "
                         "fonctionne jusqu’au {time}.",
            .join_note = "Le lien pour rejoindre mène à l’entretien peu avant son début.",
            .invitation_note = "L’invitation ci-jointe ajoute l’entretien à votre calendrier. L’événement contient "
                               "aussi votre lien et est marqué comme privé.",
            .automatic_note = "Cet e-mail a été envoyé automatiquement. Les réponses ne sont pas lues.",
            .calendar_file = "Fichier de calendrier (.ics)",
            .event_title = "Entretien\u00A0: {with}, {job}",
            .event_stage = "Étape\u00A0: {stage}",
            .event_join = "Rejoindre\u00A0: {link}",
            .event_change = "Déplacer ou annuler\u00A0: {link}",
            .event_decline = "Décliner\u00A0: {link}",
        },
};

} // namespace recruiting
