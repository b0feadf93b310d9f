// Organizations and members of the demo.
#include "recruitctl/demo/data.hpp"
#include "recruitctl/demo/words.hpp"

#include <array>

namespace recruiting::recruitctl {
namespace {

struct cast_member {
    std::string_view mailbox, name, role, status, title;
};

constexpr auto cast =
    std::to_array<cast_member>({{"admin", "Alex Baumann", "admin", "active", "Head of People"},
                                {"recruiter", "Robin Castro", "recruiter", "active", "Senior Recruiter"},
                                {"manager", "Mika Lindgren", "hiring_manager", "active", "Engineering Manager"},
                                {"interviewer", "Ines Carvalho", "interviewer", "active", "Staff Engineer"},
                                {"viewer", "Vera Novák", "viewer", "active", "Works Council"},
                                {"recruiter2", "Ruben Adeyemi", "recruiter", "active", "Recruiter"},
                                {"operations.manager", "Oskar Fuchs", "hiring_manager", "active", "Head of Operations"},
                                {"sales.manager", "Sofia Marino", "hiring_manager", "active", "Head of Sales"},
                                {"interviewer2", "Jun Nakamura", "interviewer", "active", "Senior Engineer"},
                                {"interviewer3", "Priya Banerjee", "interviewer", "active", "Product Designer"},
                                {"coordinator", "Clara Dubois", "viewer", "active", "Recruiting Coordinator"},
                                {"newcomer", "Noah Jensen", "interviewer", "invited", "Data Engineer"},
                                {"former", "Frida Larsen", "recruiter", "removed", "Recruiter"}});
constexpr auto small_cast =
    std::to_array<cast_member>({{"admin", "Gina Costello", "admin", "active", "Office Manager"},
                                {"recruiter", "Gil Torres", "recruiter", "active", "Recruiter"}});

std::string capitalized(std::string word) {
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 32);
    return word;
}

} // namespace

timestamp demo_today() noexcept {
    using namespace std::chrono;
    return timestamp{sys_days{year{2025} / 11 / 15}.time_since_epoch() + 12h};
}

demo_organization make_demo_organization(std::uint64_t seed, std::string const& slug, bool full) {
    demo_random chance(seed, "organization " + slug, 0);
    demo_organization made;
    made.slug = slug;
    made.full = full;
    made.name = slug == "acme" ? "Acme Robotics" : slug == "globex" ? "Globex Corporation" : capitalized(slug);
    made.website_url = "https://www." + slug + ".example";
    // The full one has its jobs on our own pages, so that their links lead somewhere.
    if (!full) made.careers_page_url = "https://careers." + slug + ".example";
    made.time_zone = full ? "Europe/Berlin" : "America/Chicago";
    made.country_code = full ? "DE" : "US";
    made.created_at = demo_today() - std::chrono::days(620);
    made.id = chance.id(made.created_at);
    return made;
}

std::vector<demo_member> make_demo_members(std::uint64_t seed, demo_organization const& of) {
    std::vector<demo_member> members;
    auto const people = of.full ? std::span<cast_member const>(cast) : std::span<cast_member const>(small_cast);
    for (auto const& person : people) {
        demo_random chance(seed, "member " + of.slug, members.size());
        demo_member made;
        made.created_at = of.created_at + std::chrono::hours(2 + 60 * members.size());
        made.user_id = chance.id(made.created_at);
        made.membership_id = chance.id(made.created_at);
        made.email = std::string(person.mailbox) + '@' + of.slug + ".example";
        made.name = person.name;
        made.role = person.role;
        made.status = person.status;
        made.title = person.title;
        members.push_back(std::move(made));
    }
    return members;
}

} // namespace recruiting::recruitctl
