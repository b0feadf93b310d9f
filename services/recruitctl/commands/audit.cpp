// audit verify, audit head.
#include "audit/verify.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/restore.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::size_t most_shown = 1000; // a chain that is broken everywhere must not fill the memory

audit::organization_choice chosen(invocation& call) {
    auto const slug = call.find("--organization");
    if (!slug) return std::nullopt;
    auto const id = audit::organization_by_slug(call.database(), *slug);
    if (!id) throw failure("there is no organization " + *slug);
    return id;
}

boost::json::value json_number(std::optional<std::int64_t> value) {
    if (!value) return nullptr;
    return *value;
}

boost::json::object to_json(audit::discrepancy const& found) {
    return {{"kind", audit::to_string(found.kind)},
            {"organizationId", to_string(found.organization_id)},
            {"sequence", json_number(found.sequence)},
            {"lastSequence", json_number(found.last_sequence ? found.last_sequence : found.sequence)},
            {"rowId", json_id(found.row_id)},
            {"message", found.message}};
}

std::string to_line(audit::discrepancy const& found) {
    std::string line(audit::to_string(found.kind));
    if (found.sequence) line += "  sequence " + std::to_string(*found.sequence);
    if (found.last_sequence) line += " to " + std::to_string(*found.last_sequence);
    if (found.row_id) line += "  row " + to_string(*found.row_id);
    return line + "  organization " + to_string(found.organization_id) + ": " + found.message;
}

int verify(invocation& call) {
    auto const of = chosen(call);
    std::vector<std::pair<uuid, audit::kept_head>> kept;
    if (auto const file = call.find("--head")) {
        kept = read_heads_file(*file);
        if (of && std::ranges::none_of(kept, [&](auto const& head) { return head.first == *of; }))
            throw failure(*file + " holds no head of this organization");
    }
    std::vector<audit::discrepancy> found;
    auto const counts = audit::verify(call.database(), of, kept, [&](audit::discrepancy discrepancy) {
        if (found.size() < most_shown) found.push_back(std::move(discrepancy));
    });
    bool const intact = counts.discrepancies == 0;
    if (call.json()) {
        boost::json::array discrepancies;
        for (auto const& discrepancy : found) discrepancies.push_back(to_json(discrepancy));
        print_json(call.out, {{"intact", intact},
                              {"organizations", counts.organizations},
                              {"sealedRows", counts.sealed},
                              {"unsealedRows", counts.unsealed},
                              {"problemCount", counts.discrepancies},
                              {"problems", std::move(discrepancies)}});
    } else {
        for (auto const& discrepancy : found) call.out << to_line(discrepancy) << '\n';
        if (counts.discrepancies > static_cast<std::int64_t>(found.size())) call.out << "…\n";
        call.out << (intact ? "intact: " : "not intact: " + std::to_string(counts.discrepancies) + " problems in ")
                 << counts.sealed << " sealed rows of " << counts.organizations << " organizations; " << counts.unsealed
                 << " rows are not sealed yet\n";
    }
    return intact ? done : failed;
}

boost::json::object to_json(audit::named_head const& head) {
    return {{"organization", head.slug},
            {"organizationId", to_string(head.organization_id)},
            {"sequence", head.end.sequence},
            {"hash", to_hex(bytes_of(head.end.hash))},
            {"occurredAt", json_time(head.occurred_at)}};
}

// What `key revoke --from` and `candidate erase --from` repeat after a restore.
void add_revocations(boost::json::object& document, invocation& call, audit::organization_choice const& of) {
    auto const taken_at = system_time().now();
    boost::json::array keys;
    for (auto const& key : select_revoked_keys(call.database(), of))
        keys.push_back({{"id", to_string(key.id)},
                        {"organizationId", to_string(key.organization_id)},
                        {"revokedAt", format_time(key.revoked_at)}});
    document["takenAt"] = format_time(taken_at);
    document["revokedKeys"] = std::move(keys);
    boost::json::array erasures;
    for (auto const& one : erasure::select_erasures(call.database(), of)) {
        boost::json::array kept;
        for (auto const& session : one.kept_sessions) kept.emplace_back(to_string(session));
        erasures.push_back({{"id", to_string(one.subject_id)},
                            {"organizationId", to_string(one.organization_id)},
                            {"erasedAt", format_time(one.erased_at)},
                            {"keptSessions", std::move(kept)}});
    }
    document["erasures"] = std::move(erasures);
}

int head(invocation& call) {
    auto const of = chosen(call);
    auto heads = audit::read_heads(call.database(), of);
    if (of && heads.empty()) heads.push_back({*of, call.get("--organization"), {}, {}}); // nothing is sealed yet
    if (call.json()) {
        boost::json::object document;
        boost::json::array data;
        for (auto const& one : heads) data.push_back(to_json(one));
        if (of) document = to_json(heads.front());
        else document["data"] = std::move(data);
        add_revocations(document, call, of);
        print_json(call.out, document);
    } else {
        table_rows table{{"organization", "sequence", "hash", "occurred"}};
        for (auto const& one : heads)
            table.push_back({one.slug, std::to_string(one.end.sequence), to_hex(bytes_of(one.end.hash)),
                             shown_time(one.occurred_at)});
        print_table(call.out, table);
    }
    return done;
}

} // namespace

std::vector<command> audit_commands() {
    return {
        {"audit verify",
         "Verify the audit log's hash chains: no row changed, missing or out of order.",
         {{"--organization", "SLUG", "only the chain of this organization"},
          {"--head", "FILE", "saved output of `audit head --json`; detects rows deleted from the end since then"}},
         verify,
         R"(Exit code 0: intact; 1: damaged, or the check failed. Rows that are not sealed yet are counted separately.
Without --head, anyone with write access to the whole database could have removed the end or rebuilt the chain.)"},
        {"audit head",
         "Print the heads of the hash chains, the revoked keys and the erasures, to store outside the database.",
         {{"--organization", "SLUG", "only this organization"}},
         head,
         R"(--json prints one document, which audit verify --head, key revoke --from and candidate erase --from read. Several
documents may be appended to one file. Only the document lists the revoked keys that have not expired, and the ids of
erased candidates and deleted organizations.)"},
    };
}

} // namespace recruiting::recruitctl
