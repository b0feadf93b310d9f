#include "support/directory.hpp"

#include "mail/address.hpp"

#include <atomic>
#include <stdexcept>
#include <unistd.h>

namespace recruiting::test {
namespace {

std::atomic<int> counter{0};

template <class T>
T must(result<T> outcome) {
    if (outcome) return std::move(*outcome);
    auto text = outcome.error().message;
    for (auto const& detail : outcome.error().details) text += detail.field + " " + detail.message + "; ";
    throw std::runtime_error("a test's record was refused: " + text);
}

} // namespace

std::string new_slug() { return "t" + std::to_string(getpid()) + "-" + std::to_string(++counter); }

directory::organization make_organization(pg::client& database, std::string const& slug) {
    directory::organization wanted;
    wanted.slug = slug;
    wanted.name = "Organization " + slug;
    wanted.careers_page_url = "https://" + slug + ".example/careers";
    auto made = must(directory::create_organization(database, wanted));
    make_member(database, slug, "admin@" + slug + ".example", role::admin);
    return made;
}

directory::member make_member(pg::client& database, std::string const& slug, std::string const& email, role held) {
    database.run(
        "INSERT INTO recruiting.users (id, email_key, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        pg::params{}.id(new_record_id()).text(mail::canonical_address(email).value()).text(name_given_elsewhere));
    directory::new_member wanted;
    wanted.email = email;
    wanted.name = "Member " + email.substr(0, email.find('@'));
    wanted.held = held;
    return must(directory::add_member(database, slug, wanted)).now;
}

directory::key_settings test_key_settings() { return {environment::test, std::string(32, 'p')}; }

directory::created_api_key make_key(pg::client& database, std::string const& slug, std::string const& owner,
                                    std::vector<std::string> const& scopes) {
    directory::new_api_key wanted;
    wanted.owner_email = owner;
    wanted.name = "key " + std::to_string(++counter);
    wanted.scopes = scopes;
    wanted.lifetime = std::chrono::days{30};
    return must(directory::create_api_key(database, slug, wanted, test_key_settings()));
}

} // namespace recruiting::test
