// The German words.
#pragma once
#include "words/words.hpp"

namespace recruiting {

inline constexpr words german = {
    .language = "de",
    .thousands = ".",
    .skip = "Zum Inhalt springen",
    .open_jobs = "Offene Stellen",
    .search = "Suche",
    .department = "Abteilung",
    .location = "Ort",
    .workplace = "Arbeitsplatz",
    .employment = "Anstellung",
    .any = "Alle",
    .show = "Anzeigen",
    .reset = "Alle anzeigen",
    .no_jobs = "Keine passende Stelle.",
    .previous = "Vorige Seite",
    .next = "Nächste Seite",
    .pages = "Seiten",
    .salary = "Gehalt",
    .published = "Veröffentlicht",
    .closes = "Endet",
    .invited = "Zum Gespräch eingeladen? Termin wählen",
    .without_script =
        "Hier einen Termin zu wählen braucht JavaScript. Ohne es antworten Sie bitte auf die Einladung per "
        "E-Mail.",
    .original = "Die ursprüngliche Anzeige",
    .not_found = "Diese Seite gibt es nicht",
    .not_found_text = "Vielleicht ist die Adresse falsch geschrieben oder die Stelle nicht mehr offen.",
    .unavailable = "Im Augenblick nicht erreichbar",
    .unavailable_text = "Bitte versuchen Sie es später noch einmal.",
    .refused = "Das hat nicht geklappt",
    .refused_text = "Die Anfrage war nicht zu verstehen.",
    .request = "Anfrage",
    .on_site = "Vor Ort",
    .hybrid = "Hybrid",
    .remote = "Remote",
    .full_time = "Vollzeit",
    .part_time = "Teilzeit",
    .contract = "Freie Mitarbeit",
    .temporary = "Befristet",
    .internship = "Praktikum",
    .other = "Sonstiges",
    .year = "im Jahr",
    .month = "im Monat",
    .week = "in der Woche",
    .day = "am Tag",
    .hour = "in der Stunde",
    .time =
        {
            .weekdays = {"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
            .months = {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                       "November", "Dezember"},
            .first_of_month = "1",
            .day = "{weekday}, {day}. {month} {year}",
            .moment = "{date}, {clock} Uhr ({zone}, UTC{offset})",
            .length = "{minutes} Minuten",
        },
    .interview =
        {
            .booked = "Ihr Gespräch ist gebucht",
            .canceled = "Ihr Gespräch ist abgesagt",
            .unplaced = "Bitte wählen Sie einen anderen Termin",
            .over = "Ihr Gespräch ist vorbei",
            .begun = "Ihr Gespräch hat begonnen",
            .notice_booked =
                "Ihr Gespräch ist für den Termin unten gebucht. Eine E-Mail mit allen Angaben ist unterwegs.",
            .notice_unchanged = "Das ist der Termin, den Ihr Gespräch schon hat. Es wurde nichts geändert.",
            .notice_canceled = "Ihr Gespräch ist abgesagt. Sie erhalten eine Bestätigung per E-Mail.",
            .notice_taken = "Dieser Termin wurde gerade vergeben. Bitte wählen Sie einen anderen.",
            .notice_not_offered = "Dieser Termin wird nicht angeboten. Bitte wählen Sie einen anderen.",
            .notice_closed = "Das Gespräch hat begonnen und kann hier nicht mehr geändert werden.",
            .notice_choose = "Bitte wählen Sie einen der Termine.",
            .not_free = "Der gewünschte Termin ist nicht mehr frei. Es ist noch nichts gebucht.",
            .declined = "Die Person, die das Gespräch führen sollte, ist zu diesem Termin verhindert. Es ist jetzt "
                        "nichts gebucht.",
            .when = "Wann",
            .asked_for = "Ihr Wunsch",
            .duration = "Dauer",
            .with = "Mit",
            .job = "Stelle",
            .stage = "Phase",
            .join = "Am Gespräch teilnehmen",
            .add_to_calendar = "In den Kalender eintragen",
            .other_times = "Anderen Termin wählen",
            .times = "Termin wählen",
            .no_times = "Zurzeit ist kein anderer Termin frei. Bitte schauen Sie später wieder vorbei.",
            .times_zone = "Alle Zeiten gelten für {zone}.",
            .move = "Gespräch verschieben",
            .book = "Diesen Termin buchen",
            .cancel = "Gespräch absagen",
            .cancel_frees = "Der Termin wird sofort für andere frei.",
            .cancel_keeps = "Mit diesem Link können Sie auch später noch einen anderen Termin wählen.",
            .cancel_confirm = "Ja, Gespräch absagen",
            .closed = "Es kann hier nicht mehr geändert werden.",
            .local_time = "{time} in Ihrer Zeitzone, {zone}",
            .local_clock = "{time} bei Ihnen",
            .dead_link = "Dieser Link funktioniert nicht",
            .dead_link_text =
                "Vielleicht ist er unvollständig oder abgelaufen. Bitte öffnen Sie den vollständigen Link "
                "aus der letzten E-Mail zu Ihrem Gespräch.",
            .join_opens = "Dieser Link führt zum Gespräch ab {time}.",
            .join_not_set = "Die Adresse des Gesprächs ist noch nicht hinterlegt. Bitte öffnen Sie diesen Link in ein "
                            "paar Minuten noch einmal; wenn das nicht hilft, wenden Sie sich an {organization}.",
            .join_moved = "Das Gespräch wurde verschoben. Das ist der jetzige Termin.",
            .join_canceled = "Es gibt kein Gespräch, an dem Sie teilnehmen könnten. Die letzte E-Mail dazu enthält "
                             "einen Link, mit dem Sie einen anderen Termin wählen.",
        },
    .decline =
        {
            .question = "Dieses Gespräch ablehnen?",
            .effect = "Das Gespräch wird abgesagt, und die Bewerberin oder der Bewerber wird per E-Mail um einen "
                      "anderen Termin gebeten. Sie werden zu dieser Zeit nicht wieder angeboten.",
            .confirm = "Ja, Gespräch ablehnen",
            .declined = "Sie haben dieses Gespräch abgelehnt",
            .declined_text = "Die Bewerberin oder der Bewerber wird per E-Mail um einen anderen Termin gebeten. Eine "
                             "E-Mail an Sie entfernt das Gespräch aus Ihrem Kalender.",
            .repeated = "Das Gespräch war schon abgelehnt. Es wurde nichts geändert.",
            .moved = "Dieses Gespräch wurde verschoben",
            .moved_text =
                "Um es zum jetzigen Termin abzulehnen, verwenden Sie bitte den Link in der letzten E-Mail dazu.",
            .canceled = "Dieses Gespräch ist abgesagt. Es gibt nichts abzulehnen.",
            .begun = "Das Gespräch hat begonnen und kann hier nicht mehr abgelehnt werden.",
        },
    .mail =
        {
            .label_end = ":",
            .hello = "Guten Tag {name},",
            .hello_unnamed = "Guten Tag,",
            .confirmed_subject = "Ihr Vorstellungsgespräch ist bestätigt: {job}",
            .rescheduled_subject = "Ihr Vorstellungsgespräch wurde verschoben: {job}",
            .canceled_subject = "Ihr Vorstellungsgespräch wurde abgesagt: {job}",
            .slot_taken_subject = "Bitte wählen Sie einen anderen Termin für Ihr Vorstellungsgespräch: {job}",
            .already_booked_subject = "Sie haben bereits ein Vorstellungsgespräch: {job}",
            .declined_subject = "Ihr Vorstellungsgespräch braucht einen anderen Termin: {job}",
            .confirmed = "Ihr Vorstellungsgespräch bei {organization} für die Stelle „{job}“ ist bestätigt.",
            .rescheduled = "Ihr Vorstellungsgespräch bei {organization} für die Stelle „{job}“ wurde auf einen anderen "
                           "Termin verschoben.",
            .canceled = "Ihr Vorstellungsgespräch bei {organization} für die Stelle „{job}“ wurde abgesagt.",
            .slot_taken = "Der gewünschte Termin für Ihr Vorstellungsgespräch bei {organization} für die Stelle "
                          "„{job}“ wurde gerade vergeben. Es ist noch nichts gebucht: Bitte wählen Sie einen anderen "
                          "Termin.",
            .already_booked = "Jemand, vermutlich Sie selbst, hat mit dieser Adresse um ein Vorstellungsgespräch bei "
                              "{organization} für die Stelle „{job}“ gebeten. Sie haben bereits eines; es bleibt, wie "
                              "es ist:",
            .declined = "Ihr Vorstellungsgespräch bei {organization} für die Stelle „{job}“ kann zum gebuchten Termin "
                        "leider nicht stattfinden, weil die Person, die es führen sollte, verhindert ist. Es ist jetzt "
                        "nichts gebucht: Bitte wählen Sie einen anderen Termin.",
            .before = "Vorher",
            .taken = "Vergeben",
            .join = "Teilnehmen",
            .manage_link = "Gespräch verschieben oder absagen",
            .rebook_link = "Anderen Termin buchen",
            .pick_link = "Anderen Termin wählen",
            .link_note = "Dieser Link ist nur für Sie bestimmt: Wer ihn hat, kann das Gespräch ändern. Er gilt bis "
                         "{time}.",
            .join_note = "Der Link zum Teilnehmen führt kurz vor Beginn zum Gespräch.",
            .invitation_note = "Mit der angehängten Einladung kommt das Gespräch in Ihren Kalender. Der Eintrag "
                               "enthält auch Ihren Link und ist als privat gekennzeichnet.",
            .automatic_note = "Diese E-Mail wurde automatisch erstellt. Antworten darauf werden nicht gelesen.",
            .calendar_file = "Kalenderdatei (.ics)",
            .event_title = "Vorstellungsgespräch: {with}, {job}",
            .event_stage = "Phase: {stage}",
            .event_join = "Teilnehmen: {link}",
            .event_change = "Verschieben oder absagen: {link}",
            .event_decline = "Ablehnen: {link}",
        },
};

} // namespace recruiting
