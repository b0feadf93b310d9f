// key pepper: is the pepper's file the one of the keys, and how many have not moved to it?
#include "recruitctl/commands/pepper.hpp"

#include "auth/pepper.hpp"
#include "core/settings.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

constexpr std::string_view select_facts = R"sql(
SELECT p.fingerprint, count(k.id) FILTER (WHERE k.pepper_fingerprint = p.fingerprint),
       count(k.id) FILTER (WHERE k.pepper_fingerprint IS NOT NULL AND k.pepper_fingerprint IS DISTINCT FROM p.fingerprint),
       count(k.id) FILTER (WHERE k.pepper_fingerprint IS NULL)
  FROM recruiting.key_pepper p
  LEFT JOIN recruiting.api_keys k ON k.revoked_at IS NULL AND k.expires_at > now()
 GROUP BY p.fingerprint
)sql";

constexpr std::string_view adopt_sql = "UPDATE recruiting.key_pepper SET fingerprint = $1";

std::string shown_fingerprint(std::optional<std::int64_t> fingerprint) {
    return fingerprint ? show_fingerprint(*fingerprint) : "none yet";
}

int show_pepper(invocation& call) {
    auto const file = pepper_fingerprint(pepper_of(call));
    if (call.has("--adopt")) call.database().run(adopt_sql, pg::params{}.integer(file));
    auto const facts = select_pepper_facts(call.database());
    if (call.json())
        print_json(call.out,
                   {{"fileFingerprint", show_fingerprint(file)},
                    {"databaseFingerprint", facts.fingerprint ? boost::json::value(show_fingerprint(*facts.fingerprint))
                                                              : boost::json::value(nullptr)},
                    {"activeKeys", {{"current", facts.current}, {"other", facts.other}, {"unknown", facts.unknown}}}});
    else
        print_table(call.out, {{"pepper file", show_fingerprint(file)},
                               {"database", shown_fingerprint(facts.fingerprint)},
                               {"active keys of the database's pepper", std::to_string(facts.current)},
                               {"active keys of another pepper", std::to_string(facts.other)},
                               {"active keys of an unknown pepper", std::to_string(facts.unknown)}});
    if (!facts.lacks(file)) return done;
    call.err << "the file of RECRUITING_KEY_PEPPER_FILE is not the pepper of this database's API keys: copy the file "
                "from the installation's first host, or from its backup\n";
    return failed;
}

} // namespace

std::string read_pepper(std::string const& path) {
    constexpr std::size_t least_pepper = 32;
    std::string pepper;
    settings_reader reader("recruitctl", "", "RECRUITING_RECRUITCTL_");
    reader.secret_file("RECRUITING_KEY_PEPPER_FILE", pepper, least_pepper, "");
    if (auto const wrong = reader.apply({{"RECRUITING_KEY_PEPPER_FILE", path}}); !wrong.empty())
        throw usage_error(wrong.front());
    return pepper;
}

std::string pepper_of(invocation const& call) {
    auto const path = call.setting("RECRUITING_KEY_PEPPER_FILE");
    if (!path) throw usage_error("RECRUITING_KEY_PEPPER_FILE is not set: the file API keys are hashed with");
    return read_pepper(*path);
}

pepper_facts select_pepper_facts(pg::client& database) {
    pepper_facts out;
    auto const found = database.run(select_facts);
    found[0].read(out.fingerprint, out.current, out.other, out.unknown);
    return out;
}

command pepper_command() {
    return {
        "key pepper",
        "Compare the pepper's file with the database, and count the keys that have not moved to its pepper.",
        {{"--adopt", "",
          "from now on keys move to the file's pepper when they are used (after all instances of auth-api accept it)"}},
        show_pepper,
        "A fingerprint names a pepper and reveals nothing of it. Exit code 1: the file is not the pepper of the keys "
        "in use.\nKeys of an unknown pepper were made by an earlier version and have not been used since."};
}

} // namespace recruiting::recruitctl
