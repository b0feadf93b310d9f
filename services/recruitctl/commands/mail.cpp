// mail list, show, resend: the mails about bookings, and what became of them.
#include "recruitctl/commands.hpp"
#include "recruitctl/commands/mail_store.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

boost::json::object to_json(listed_mail const& m) {
    return {{"id", to_string(m.id)},
            {"organization", m.organization},
            {"bookingId", to_string(m.booking_id)},
            {"audience", m.audience},
            {"kind", m.kind},
            {"status", m.status},
            {"attempts", m.attempts},
            {"sequence", m.sequence},
            {"startsAt", json_time(m.starts_at)},
            {"createdAt", format_time(m.created_at)},
            {"nextAttemptAt", json_time(m.next_attempt_at)},
            {"finishedAt", json_time(m.finished_at)},
            {"lastError", json_text(m.last_error)}};
}

uuid id_of(std::string const& text) {
    auto const id = parse_id(text);
    if (!id) throw usage_error(text + " is no mail's id: 32 hex characters");
    return *id;
}

std::optional<std::string> chosen_status(invocation const& call) {
    std::optional<std::string> out;
    for (char const* status : {"dead", "waiting", "sent"}) {
        if (!call.has(std::string("--") + status)) continue;
        if (out) throw usage_error("--dead, --waiting and --sent exclude each other");
        out = status;
    }
    return out;
}

int list_mail(invocation& call) {
    mail_filter filter;
    filter.status = chosen_status(call);
    filter.organization = call.find("--organization");
    filter.limit = call.number("--limit", filter.limit, 1, 100'000);
    boost::json::array data;
    std::vector<std::vector<std::string>> table{
        {"id", "organization", "to", "about", "status", "attempts", "written", "next or last", "last error"}};
    for (auto const& m : select_mails(call.database(), filter)) {
        data.push_back(to_json(m));
        auto const moment = m.finished_at ? m.finished_at : m.next_attempt_at;
        table.push_back({to_string(m.id), m.organization, m.audience, m.kind, m.status, std::to_string(m.attempts),
                         format_time(m.created_at), shown_time(moment), shown(m.last_error)});
    }
    if (call.json()) print_json(call.out, {{"data", std::move(data)}});
    else print_table(call.out, table);
    return done;
}

int show_mail(invocation& call) {
    auto const id = id_of(call.operands().front());
    auto const found = select_mail(call.database(), id);
    if (!found) throw failure("there is no mail " + to_string(id));
    auto document = to_json(*found);
    if (call.has("--address")) document["address"] = json_text(select_mail_address(call.database(), id));
    if (call.json()) {
        print_json(call.out, document);
        return done;
    }
    std::vector<std::vector<std::string>> table;
    for (auto const& [name, value] : document) {
        auto const* const text = value.if_string();
        auto const shown_value = text != nullptr ? std::string(*text) : boost::json::serialize(value);
        table.push_back({std::string(name), value.is_null() ? "-" : shown_value});
    }
    print_table(call.out, table);
    return done;
}

std::vector<uuid> chosen_mails(invocation& call) {
    bool const by_id = call.has("--id");
    if (by_id == call.has("--all-dead")) throw usage_error("give either --id or --all-dead");
    if (!by_id) return select_dead_mails(call.database(), call.find("--organization"));
    if (call.has("--organization")) throw usage_error("--organization goes with --all-dead");
    std::vector<uuid> ids;
    for (auto const& text : call.list("--id")) ids.push_back(id_of(text));
    return ids;
}

int resend(invocation& call) {
    auto const asked = chosen_mails(call);
    auto const again = resend_mails(call.database(), asked);
    boost::json::array resent;
    boost::json::array left;
    for (auto const& id : asked) {
        bool const is_sent_again = std::find(again.begin(), again.end(), id) != again.end();
        (is_sent_again ? resent : left).emplace_back(to_string(id));
    }
    if (call.json()) {
        print_json(call.out, {{"resent", resent}, {"left", left}});
    } else {
        call.out << resent.size() << (resent.size() == 1 ? " mail" : " mails") << " will be sent again\n";
        for (auto const& id : left)
            call.out << id.get_string() << " will not: it is not there, or later news has been sent already\n";
    }
    return left.empty() ? done : partial;
}

} // namespace

std::vector<command> mail_commands() {
    option const organization{"--organization", "SLUG", "of one organization only"};
    return {
        {"mail list",
         "List the mails about interviews, the newest first.",
         "",
         {{"--dead", "", "those set aside: refused, or tried for long enough"},
          {"--waiting", "", "those to be sent"},
          {"--sent", "", "those a mail server has taken"},
          organization,
          {"--limit", "N", "at most so many (100)"}},
         list_mail,
         "Neither names nor addresses are shown."},
        {"mail show",
         "Show one mail's record.",
         "ID",
         {{"--address", "", "also whom it goes to: personal data"}},
         show_mail,
         "Its text is not kept: it is written when it is sent, with a link that nobody else may know."},
        {"mail resend",
         "Send mails again: dead ones, such as after the mail server was mended, waiting ones now, sent ones once "
         "more.",
         "",
         {{"--id", "ID", "which", false, true}, {"--all-dead", "", "every dead one"}, organization},
         resend,
         "Nothing is sent again whose recipient has got later news about the same interview."},
    };
}

} // namespace recruiting::recruitctl
