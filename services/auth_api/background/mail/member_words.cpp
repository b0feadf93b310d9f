#include "auth_api/background/mail/member_words.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::mailing {
namespace {

constexpr std::array<member_words, 5> member_words_table = {{
    {
        .language = "en",
        .label_end = ":",
        .hello = "Hello {name},",
        .hello_unnamed = "Hello,",
        .sign_in_subject = "Your sign-in link",
        .sign_in = "You, or someone using your address, asked to sign in to the console at {host}.",
        .sign_in_link = "Sign in",
        .sign_in_note = "If it was not you, ignore this mail: signing in is not possible without the link.",
        .invitation_subject = "Invitation to {organization}",
        .invitation = "{organization} invites you to its console at {host}.",
        .invitation_by = "{inviter} invites you to the console of {organization} at {host}.",
        .invitation_link = "Accept the invitation",
        .link_note = "The link works once and for {time}. It is for you only: do not forward it.",
        .minutes = "{number} minutes",
        .hours = "{number} hours",
        .days = "{number} days",
        .automatic_note = "This is an automated mail. Replies to it are not read.",
    },
    {
        .language = "de",
        .label_end = ":",
        .hello = "Guten Tag {name},",
        .hello_unnamed = "Guten Tag,",
        .sign_in_subject = "Ihr Link zur Anmeldung",
        .sign_in = "Sie oder jemand mit Ihrer Adresse möchte sich an der Konsole auf {host} anmelden.",
        .sign_in_link = "Anmelden",
        .sign_in_note = "Wenn Sie das nicht waren, ignorieren Sie diese Mail: Ohne den Link meldet sich niemand an.",
        .invitation_subject = "Einladung von {organization}",
        .invitation = "{organization} lädt Sie zur Konsole auf {host} ein.",
        .invitation_by = "{inviter} lädt Sie zur Konsole von {organization} auf {host} ein.",
        .invitation_link = "Einladung annehmen",
        .link_note = "Der Link gilt einmal und {time} lang. Er ist nur für Sie: Leiten Sie ihn nicht weiter.",
        .minutes = "{number} Minuten",
        .hours = "{number} Stunden",
        .days = "{number} Tage",
        .automatic_note = "Diese Mail hat ein Programm geschrieben. Antworten darauf liest niemand.",
    },
    {
        .language = "fr",
        .label_end = " :",
        .hello = "Bonjour {name},",
        .hello_unnamed = "Bonjour,",
        .sign_in_subject = "Votre lien de connexion",
        .sign_in =
            "Vous, ou une personne utilisant votre adresse, avez demandé à vous connecter à la console sur {host}.",
        .sign_in_link = "Se connecter",
        .sign_in_note = "Si ce n’était pas vous, ignorez cet e-mail : sans le lien, personne ne peut se connecter.",
        .invitation_subject = "Invitation de {organization}",
        .invitation = "{organization} vous invite à sa console sur {host}.",
        .invitation_by = "{inviter} vous invite à la console de {organization} sur {host}.",
        .invitation_link = "Accepter l’invitation",
        .link_note = "Le lien fonctionne une seule fois et pendant {time}. Il est personnel : ne le transférez pas.",
        .minutes = "{number} minutes",
        .hours = "{number} heures",
        .days = "{number} jours",
        .automatic_note = "Cet e-mail a été envoyé par un programme. Les réponses ne sont pas lues.",
    },
    {
        .language = "es",
        .label_end = ":",
        .hello = "Hola, {name}:",
        .hello_unnamed = "Hola:",
        .sign_in_subject = "Su enlace de acceso",
        .sign_in = "Usted, o alguien con su dirección, ha pedido acceder a la consola en {host}.",
        .sign_in_link = "Acceder",
        .sign_in_note = "Si no ha sido usted, ignore este correo: sin el enlace nadie puede acceder.",
        .invitation_subject = "Invitación de {organization}",
        .invitation = "{organization} le invita a su consola en {host}.",
        .invitation_by = "{inviter} le invita a la consola de {organization} en {host}.",
        .invitation_link = "Aceptar la invitación",
        .link_note = "El enlace sirve una sola vez y durante {time}. Es personal: no lo reenvíe.",
        .minutes = "{number} minutos",
        .hours = "{number} horas",
        .days = "{number} días",
        .automatic_note = "Este correo lo ha escrito un programa. Las respuestas no se leen.",
    },
    {
        .language = "it",
        .label_end = ":",
        .hello = "Buongiorno {name},",
        .hello_unnamed = "Buongiorno,",
        .sign_in_subject = "Il suo link di accesso",
        .sign_in = "Lei, o qualcuno con il suo indirizzo, ha chiesto di accedere alla console su {host}.",
        .sign_in_link = "Accedi",
        .sign_in_note = "Se non è stato lei, ignori questa e-mail: senza il link nessuno può accedere.",
        .invitation_subject = "Invito da {organization}",
        .invitation = "{organization} la invita alla sua console su {host}.",
        .invitation_by = "{inviter} la invita alla console di {organization} su {host}.",
        .invitation_link = "Accetta l’invito",
        .link_note = "Il link funziona una sola volta e per {time}. È personale: non lo inoltri.",
        .minutes = "{number} minuti",
        .hours = "{number} ore",
        .days = "{number} giorni",
        .automatic_note = "Questa e-mail è stata scritta da un programma. Le risposte non vengono lette.",
    },
}};

} // namespace

bool has_member_words(std::string_view language) noexcept {
    return std::ranges::find(member_words_table, language, &member_words::language) != member_words_table.end();
}

member_words const& member_words_for(std::string_view language) noexcept {
    auto const primary = language.substr(0, language.find('-'));
    auto const found =
        std::ranges::find_if(member_words_table, [primary](member_words const& w) { return w.language == primary; });
    return found == member_words_table.end() ? member_words_table.front() : *found;
}

} // namespace recruiting::auth_api::mailing
