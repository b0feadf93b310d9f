// organization, member and key as an operator or a script calls them: answers, JSON, exit codes.
#include "recruitctl/command.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace commands_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using recruiting::test::new_slug;
using recruiting::test::shared_database;

namespace {

struct fixture {
    fixture() : pepper(std::filesystem::temp_directory_path() / ("recruitctl_pepper_" + new_slug())) {
        std::ofstream(pepper) << test::test_key_settings().pepper << '\n';
    }
    ~fixture() { std::filesystem::remove(pepper); }
    fixture(fixture const&) = delete;
    fixture& operator=(fixture const&) = delete;

    std::filesystem::path pepper;
    std::string slug = new_slug();
    std::string out;
    std::string err;
    settings environment{{"RECRUITING_DATABASE_URL", shared_database().owner_url()},
                         {"RECRUITING_KEY_PEPPER_FILE", pepper.string()}};

    int call(std::vector<std::string> const& arguments) {
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = run(all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    boost::json::value json(std::vector<std::string> arguments) {
        arguments.emplace_back("--json");
        auto const code = call(arguments);
        CAPTURE(err, out);
        REQUIRE(code == done);
        return boost::json::parse(out);
    }
    void organization_with_admin() {
        REQUIRE(call({"organization", "create", "--slug", slug, "--name", "Acme"}) == done);
        REQUIRE(call({"member", "add", "--organization", slug, "--email", "ann@" + slug, "--name", "Ann", "--role",
                      "admin"}) == done);
    }
};

} // namespace

TEST_CASE_METHOD(fixture, "organization create, show, list", "[recruitctl]") {
    auto const made = json({"organization", "create", "--slug", slug, "--name", "Acme", "--country", "DE"});
    REQUIRE(made.at("slug").as_string() == slug.c_str());
    REQUIRE(made.at("countryCode") == "DE");
    REQUIRE(made.at("websiteUrl").is_null());
    REQUIRE(json({"organization", "show", "--organization", slug}) == made);
    auto const listed = json({"organization", "list"}).at("data").as_array();
    REQUIRE(std::find(listed.begin(), listed.end(), made) != listed.end());
    REQUIRE(call({"organization", "create", "--slug", slug, "--name", "Acme"}) == failed);
    REQUIRE(err.find("another organization has the slug") != std::string::npos);
    REQUIRE(call({"organization", "show", "--organization", "no-such-slug"}) == failed);
    REQUIRE(call({"organization", "create", "--slug", slug}) == usage);
    REQUIRE(call({"organization", "list"}) == done);
    REQUIRE(out.find(slug) != std::string::npos);
}

TEST_CASE_METHOD(fixture, "candidates are kept until a retention is set, which is shown before it acts",
                 "[recruitctl]") {
    organization_with_admin();
    auto const shown = [&] { return json({"organization", "show", "--organization", slug}); };
    CHECK(shown().at("candidateRetentionDays").is_null());
    CHECK(shown().at("candidateRetentionActsFrom").is_null());
    auto const audited = [&] {
        return shared_database()
            .owner()
            .run("SELECT FROM audit_rows a JOIN recruiting.organizations o ON o.id = a.organization_id "
                 "WHERE o.slug = $1 AND a.action = 'organization.candidate_retention_changed'",
                 pg::params{}.text(slug))
            .size();
    };
    auto const of_slug = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--organization", slug});
        return words;
    };
    CHECK(call(of_slug({"organization", "retention"})) == failed); // there is none to preview
    CHECK(err.find("--candidate-retention 730d") != std::string::npos);
    shared_database().owner().run(
        "INSERT INTO recruiting.candidates (id, organization_id, external_id, name, updated_at) "
        "SELECT gen_random_uuid(), id, '4711', 'Anna', now() - interval '731 days' FROM recruiting.organizations WHERE "
        "slug = $1",
        pg::params{}.text(slug));
    auto const before = json(of_slug({"organization", "retention", "--candidate-retention", "730d"}));
    CHECK(before.at("due") == 1);
    CHECK(before.at("kept") == 0);
    CHECK(before.at("candidateRetentionActsFrom").is_null());
    CHECK(before.at("data").at(0).at("externalId") == "4711");
    CHECK(out.find("Anna") == std::string::npos);
    CHECK(json(of_slug({"organization", "retention", "--candidate-retention", "732d"})).at("due") == 0);

    auto const set = json(of_slug({"organization", "set", "--candidate-retention", "730d"}));
    CHECK(set.at("candidateRetentionDays") == 730);
    CHECK(audited() == 1);
    CHECK(shown() == set);
    CHECK(call(of_slug({"organization", "set", "--candidate-retention", "730d"})) == done);
    CHECK(audited() == 1);
    CHECK(json(of_slug({"organization", "retention"})).at("candidateRetentionActsFrom") ==
          set.at("candidateRetentionActsFrom"));
    CHECK(call(of_slug({"organization", "retention"})) == done);
    CHECK(out.find("4711") != std::string::npos);
    for (std::string const wrong : {"730", "12h", "1h30m", "", "never"}) {
        CAPTURE(wrong);
        CHECK(call(of_slug({"organization", "set", "--candidate-retention", wrong})) == usage);
    }
    for (std::string const wrong : {"29d", "3651d"}) {
        CHECK(call(of_slug({"organization", "set", "--candidate-retention", wrong})) == failed);
        CHECK(call(of_slug({"organization", "retention", "--candidate-retention", wrong})) == failed);
    }
    CHECK(
        json(of_slug({"organization", "set", "--candidate-retention", "off", "--logo-url", "https://a.example/l.png"}))
            .at("candidateRetentionDays")
            .is_null());
    CHECK(audited() == 2);
}

TEST_CASE_METHOD(fixture, "organization set changes how an organization looks and where people apply", "[recruitctl]") {
    organization_with_admin();
    auto const set = [&](std::vector<std::string> rest) {
        rest.insert(rest.begin(), {"organization", "set", "--organization", slug});
        return rest;
    };
    auto const now =
        json(set({"--accent-color", "#FFD400", "--apply-url", "mailto:jobs@acme.example", "--share-image-url",
                  "https://acme.example/share.png", "--logo-url", "https://acme.example/logo.svg"}));
    REQUIRE(now.at("accentColor") == "#ffd400");
    REQUIRE(now.at("applyUrl") == "mailto:jobs@acme.example");
    REQUIRE(now.at("shareImageUrl") == "https://acme.example/share.png");
    REQUIRE(now.at("logoUrl") == "https://acme.example/logo.svg");
    REQUIRE(err.starts_with("Text in #ffd400 is not legible on a light background: pages and mails use #"));
    REQUIRE(json({"organization", "show", "--organization", slug}) == now);
    REQUIRE(call({"organization", "show", "--organization", slug}) == done);
    for (auto const* shown : {"#ffd400", "mailto:jobs@acme.example", "https://acme.example/share.png"})
        REQUIRE(out.find(shown) != std::string::npos);

    auto const without = json(set({"--accent-color", "", "--logo-url", ""}));
    REQUIRE(err.empty());
    REQUIRE(without.at("accentColor").is_null());
    REQUIRE(without.at("logoUrl").is_null());
    REQUIRE(without.at("applyUrl") == "mailto:jobs@acme.example");

    auto const text = std::filesystem::temp_directory_path() / (slug + ".html");
    std::ofstream(text) << "<p>We build robots.</p><script>x</script>";
    auto const introduced = json(set({"--introduction-file", text.string()}));
    REQUIRE(introduced.at("introductionHtml") == "<p>We build robots.</p>");
    std::ofstream(text) << "\xff";
    REQUIRE(call(set({"--introduction-file", text.string()})) == usage);
    REQUIRE(err.find("is not UTF-8") != std::string::npos);
    std::filesystem::remove(text);
    REQUIRE(call(set({"--introduction-file", text.string()})) == usage);
    REQUIRE(json({"organization", "show", "--organization", slug}).at("introductionHtml") == "<p>We build robots.</p>");
    REQUIRE(json(set({"--introduction-file", ""})).at("introductionHtml").is_null());

    REQUIRE(call(set({"--accent-color", "blue", "--apply-url", "javascript:alert(1)"})) == failed);
    REQUIRE(err.find("accentColor must be # and six hexadecimal digits") != std::string::npos);
    REQUIRE(err.find("applyUrl must begin with https://, http:// or mailto:") != std::string::npos);
    REQUIRE(call(set({})) == usage);
    REQUIRE(call({"organization", "set", "--organization", "no-such-slug", "--logo-url", ""}) == failed);
    auto const other = new_slug();
    REQUIRE(json({"organization", "create", "--slug", other, "--name", "Globex", "--accent-color", "#001f5c"})
                .at("accentColor") == "#001f5c");
    REQUIRE(err.find("not legible on a dark background") != std::string::npos);
}

TEST_CASE_METHOD(fixture, "member invite gives the status invited, and a mail to send", "[recruitctl]") {
    organization_with_admin();
    auto const bob = "bob@" + slug + ".example";
    auto const invited = json({"member", "invite", "--organization", slug, "--email", bob, "--name", "Bob"});
    REQUIRE(invited.at("status") == "invited");
    REQUIRE(invited.at("role") == "viewer");
    auto const mails = shared_database().owner().run(
        "SELECT FROM recruiting.mail_outbox WHERE kind = 'invitation' AND membership_id = $1",
        pg::params{}.id(parse_id(invited.at("id").as_string()).value()));
    REQUIRE(mails.size() == 1);
    REQUIRE(call({"member", "invite", "--organization", slug, "--email", bob, "--name", "Bob"}) == failed);
}

TEST_CASE_METHOD(fixture, "member add, set-role, remove, restore, list", "[recruitctl]") {
    organization_with_admin();
    auto const bob = "bob@" + slug;
    auto const added =
        json({"member", "add", "--organization", slug, "--email", bob, "--name", "Bob", "--title", "CTO"});
    REQUIRE(added.at("role") == "viewer");
    REQUIRE(added.at("changed") == true);
    REQUIRE(json({"member", "set-role", "--organization", slug, "--email", bob, "--role", "recruiter"}).at("role") ==
            "recruiter");
    REQUIRE(json({"member", "remove", "--organization", slug, "--email", bob}).at("status") == "removed");
    REQUIRE(json({"member", "remove", "--organization", slug, "--email", bob}).at("changed") == false);
    REQUIRE(json({"member", "list", "--organization", slug}).at("data").as_array().size() == 1);
    REQUIRE(json({"member", "list", "--organization", slug, "--all"}).at("data").as_array().size() == 2);
    auto const restored = json({"member", "restore", "--organization", slug, "--email", bob});
    REQUIRE(restored.at("id") == added.at("id"));
    REQUIRE(restored.at("role") == "recruiter");
    REQUIRE(restored.at("deletedAt").is_null());
    REQUIRE(call({"member", "set-role", "--organization", slug, "--email", bob, "--role", "king"}) == usage);
    REQUIRE(call({"member", "remove", "--organization", slug, "--email", "ann@" + slug}) == failed);
    REQUIRE(err.find("last admin") != std::string::npos);
}

TEST_CASE_METHOD(fixture, "a person is found in every spelling of their address, and a look-alike is not",
                 "[recruitctl]") {
    organization_with_admin();
    REQUIRE(call({"member", "add", "--organization", slug, "--email", "Kim@köln.example", "--name", "Kim", "--role",
                  "recruiter"}) == done);
    REQUIRE(call({"member", "add", "--organization", slug, "--email", "ceo@minerva.example", "--name", "Ceo"}) == done);
    auto const of = [&](std::vector<std::string> command, std::string_view option, std::string_view address) {
        command.insert(command.end(), {"--organization", slug, std::string(option), std::string(address)});
        return call(command);
    };
    for (auto const* spelling : {"kim@xn--kln-sna.example", "KIM@KÖLN.example", "kim@köln｡example"}) {
        INFO(spelling);
        CHECK(of({"member", "set-role", "--role", "hiring_manager"}, "--email", spelling) == done);
        CHECK(of({"member", "sign-in-link", "--url", "https://jobs.example.com"}, "--email", spelling) == done);
        CHECK(err.starts_with("Signs in Kim@köln.example,"));
        CHECK(of({"key", "create", "--name", spelling, "--scope", "jobs:read", "--expires-in", "30d"}, "--owner",
                 spelling) == done);
        CHECK(of({"key", "list"}, "--owner", spelling) == done);
        CHECK(of({"slots", "list"}, "--interviewer", spelling) == done);
        CHECK(of({"member", "add", "--name", "Again"}, "--email", spelling) != done);
    }
    for (auto const* look_alike : {"ceo@mİnerva.example", "ceo@mınerva.example", "cеo@minerva.example"}) {
        INFO(look_alike);
        CHECK(of({"member", "set-role", "--role", "admin"}, "--email", look_alike) == failed);
        CHECK(of({"member", "sign-in-link", "--url", "https://jobs.example.com"}, "--email", look_alike) == failed);
    }
    for (auto const* none : {"ſam@minerva.example", "ｋim@minerva.example", "kim@xn--a.example"}) {
        INFO(none);
        CHECK(of({"member", "add", "--name", "N"}, "--email", none) == failed);
        CHECK((err.find("PRECIS") != std::string::npos || err.find("UTS 46") != std::string::npos));
    }
}

TEST_CASE_METHOD(fixture, "where interviews meet is checked when it is set, logged, and cleared",
                 "[recruitctl][join]") {
    organization_with_admin();
    auto const ann = "ann@" + slug;
    auto const rooms = [&](std::vector<std::string> rest) {
        rest.insert(rest.begin(), {"organization", "set-room-url", "--organization", slug});
        return rest;
    };
    auto const meets = [&](std::vector<std::string> rest) {
        rest.insert(rest.begin(), {"member", "set-join-url", "--organization", slug, "--email", ann});
        return rest;
    };
    REQUIRE(json(rooms({"--url", "https://meet.example/{room}"})).at("roomUrl") == "https://meet.example/{room}");
    REQUIRE(json({"organization", "show", "--organization", slug}).at("roomUrl") == "https://meet.example/{room}");
    REQUIRE(json(meets({"--url", "https://meet.example/ann"})).at("joinUrl") == "https://meet.example/ann");
    REQUIRE(json(meets({"--url", "https://meet.example/ann"})).at("changed") == false);
    for (std::string const bad : {"http://meet.example/{room}", "javascript:alert(1)//{room}", "https://", "//x/{room}",
                                  "https://meet.example/{room} x", "https://u@meet.example/{room}"}) {
        CAPTURE(bad);
        REQUIRE(call(rooms({"--url", bad})) == failed);
        REQUIRE(call(meets({"--url", bad})) == failed);
    }
    REQUIRE(call(rooms({"--url", "https://meet.example/one-for-all"})) == failed); // candidates would meet each other
    REQUIRE(err.find("{room}") != std::string::npos);
    REQUIRE(call(rooms({})) == usage);
    REQUIRE(call(meets({"--url", "https://meet.example/a", "--clear"})) == usage);
    REQUIRE(json(meets({"--clear"})).at("joinUrl").is_null());
    REQUIRE(json(rooms({"--clear"})).at("roomUrl").is_null());
    REQUIRE(call({"member", "set-join-url", "--organization", slug, "--email", "nobody@x.example", "--clear"}) ==
            failed);
    auto const logged = shared_database().owner().run(
        "SELECT action, count(*) FROM audit_rows l JOIN recruiting.organizations o ON o.id = "
        "l.organization_id WHERE o.slug = $1 AND action LIKE '%url_changed' GROUP BY 1 ORDER BY 1",
        pg::params().text(slug));
    REQUIRE(logged.size() == 2);
    for (int row = 0; row < 2; ++row) REQUIRE(logged.integer(row, 1) == 2);
}

TEST_CASE_METHOD(fixture, "key create prints the secret, and nothing else ever does", "[recruitctl]") {
    organization_with_admin();
    auto const made = json({"key", "create", "--organization", slug, "--owner", "ann@" + slug, "--name", "sync",
                            "--scope", "jobs:read,candidates:read", "--expires-in", "90d", "--allow-ip", "10.0.0.0/8"});
    std::vector<std::string> names;
    for (auto const& member : made.as_object()) names.emplace_back(member.key());
    REQUIRE(names == std::vector<std::string>{"id", "secret", "displayedPrefix", "name", "organization", "owner",
                                              "environment", "scopes", "allowedIps", "expiresAt", "createdAt"});
    auto const secret = std::string(made.at("secret").as_string());
    REQUIRE(secret.starts_with("sp_test_"));
    REQUIRE(made.at("id").as_string().size() == 32);
    REQUIRE(made.at("scopes") == boost::json::array{"jobs:read", "candidates:read"});
    // The pepper's newline is not part of it, as in the services.
    auto const stored =
        shared_database().owner().run("SELECT secret_hash FROM recruiting.api_keys WHERE id = $1",
                                      pg::params{}.id(parse_id(std::string(made.at("id").as_string())).value()));
    REQUIRE(stored.bytes(0, 0) == bytes_of(hash_secret(test::test_key_settings().pepper, secret)));

    auto const listed = json({"key", "list", "--organization", slug, "--all"});
    REQUIRE(listed.at("data").at(0).at("state") == "active");
    REQUIRE(out.find(secret) == std::string::npos);
    auto const of_owner = [&](std::string const& owner) {
        return json({"key", "list", "--organization", slug, "--owner", owner}).at("data").as_array().size();
    };
    call({"member", "add", "--organization", slug, "--email", "ben@" + slug, "--name", "Ben", "--role", "recruiter"});
    REQUIRE(of_owner("ann@" + slug) == 1);
    REQUIRE(of_owner("ben@" + slug) == 0);
    REQUIRE(call({"key", "list", "--organization", slug, "--owner", "nobody@" + slug}) == failed);
    environment["RECRUITING_KEYS_PER_MEMBER"] = "1";
    std::vector<std::string> const one_more{"key",    "create", "--organization", slug, "--owner",      "ann@" + slug,
                                            "--name", "more",   "--scope",        "*",  "--expires-in", "12h"};
    REQUIRE(call(one_more) == failed);
    REQUIRE(err.find("has 1 keys that are neither revoked nor expired") != std::string::npos);
    environment["RECRUITING_KEYS_PER_MEMBER"] = "0";
    REQUIRE(call(one_more) == usage);
    environment.erase("RECRUITING_KEYS_PER_MEMBER");
    auto const revoked = json({"key", "revoke", "--organization", slug, "--name", "sync"});
    REQUIRE(revoked.at("changed") == true);
    REQUIRE(json({"key", "revoke", "--organization", slug, "--name", "sync"}).at("changed") == false);
    REQUIRE(call({"key", "revoke", "--organization", slug, "--id", std::string(made.at("id").as_string())}) == done);
    REQUIRE(out.find("was revoked already") != std::string::npos);
    REQUIRE(call({"key", "revoke", "--organization", slug, "--name", "none"}) == failed);
    REQUIRE(call({"key", "revoke", "--organization", slug}) == usage);
    REQUIRE(call({"key", "revoke", "--organization", slug, "--id", "xyz"}) == usage);
}

TEST_CASE_METHOD(fixture, "the environment and the pepper make a key", "[recruitctl]") {
    organization_with_admin();
    std::vector<std::string> const create{"key",    "create", "--organization", slug, "--owner",      "ann@" + slug,
                                          "--name", "live",   "--scope",        "*",  "--expires-in", "12h"};
    environment["RECRUITING_ENVIRONMENT"] = "live";
    REQUIRE(std::string(json(create).at("secret").as_string()).starts_with("sp_live_"));
    environment["RECRUITING_ENVIRONMENT"] = "prod";
    REQUIRE(call(create) == usage);
    environment.erase("RECRUITING_ENVIRONMENT");
    std::ofstream(pepper, std::ios::trunc) << "short";
    REQUIRE(call(create) == usage);
    REQUIRE(err.find("32 bytes") != std::string::npos);
    REQUIRE(err.find("short") == std::string::npos);
    environment.erase("RECRUITING_KEY_PEPPER_FILE");
    REQUIRE(call(create) == usage);
}

TEST_CASE_METHOD(fixture, "key create takes --expires-at besides --expires-in, and exactly one of them",
                 "[recruitctl]") {
    organization_with_admin();
    std::vector<std::string> const create{"key",    "create", "--organization", slug,       "--owner", "ann@" + slug,
                                          "--name", "at",     "--scope",        "jobs:read"};
    auto const with = [&create](std::vector<std::string> const& more) {
        auto all = create;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    auto const in_a_week = format_time(system_time().now() + std::chrono::days{7});
    REQUIRE(json(with({"--expires-at", in_a_week})).at("expiresAt").as_string() == in_a_week);
    REQUIRE(call(create) == usage);
    REQUIRE(err.find("either --expires-in or --expires-at") != std::string::npos);
    REQUIRE(call(with({"--expires-at", in_a_week, "--expires-in", "7d"})) == usage);
    REQUIRE(call(with({"--expires-at", "next week"})) == usage);
    for (auto const* outside : {"2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"}) {
        REQUIRE(call(with({"--expires-at", outside})) == failed);
        REQUIRE(err.find("1 hour to 366 days ahead") != std::string::npos);
    }
}

TEST_CASE_METHOD(fixture, "scopes beyond the owner's role are granted with a note", "[recruitctl]") {
    organization_with_admin();
    REQUIRE(call({"member", "add", "--organization", slug, "--email", "bob@" + slug, "--name", "Bob", "--role",
                  "recruiter"}) == done);
    REQUIRE(call({"key", "create", "--organization", slug, "--owner", "bob@" + slug, "--name", "b", "--scope",
                  "billing:read,jobs:read", "--expires-in", "1h"}) == done);
    REQUIRE(err.find("does not allow billing:read\n") != std::string::npos);
}

TEST_CASE_METHOD(fixture, "a database without the schema is told with the remedy", "[recruitctl]") {
    test::test_database empty(test::migrated::no);
    environment["RECRUITING_DATABASE_URL"] = empty.owner_url();
    REQUIRE(call({"organization", "list"}) == failed);
    REQUIRE(err.find("recruitctl migrate") != std::string::npos);
    environment["RECRUITING_DATABASE_URL"] = "postgresql://nobody:secret-word@127.0.0.1:1/none";
    REQUIRE(call({"organization", "list"}) == database_unavailable);
    REQUIRE(err.find("secret-word") == std::string::npos);
}

TEST_CASE_METHOD(fixture, "key pepper compares the file, counts keys that have not moved, and adopts", "[recruitctl]") {
    test::test_database own;
    environment["RECRUITING_DATABASE_URL"] = own.owner_url();
    organization_with_admin();
    auto const create = [&](std::string const& name) {
        return call({"key", "create", "--organization", slug, "--owner", "ann@" + slug, "--name", name, "--scope", "*",
                     "--expires-in", "12h"});
    };
    auto const old = json({"key", "pepper"}).at("fileFingerprint");
    REQUIRE(json({"key", "pepper"}).at("databaseFingerprint").is_null());
    REQUIRE(create("first") == done);
    REQUIRE(err.find("another pepper") == std::string::npos);
    REQUIRE(json({"key", "pepper"}).at("databaseFingerprint") == old);
    REQUIRE(json({"key", "list", "--organization", slug}).at("data").at(0).at("pepperFingerprint") == old);
    REQUIRE(json({"key", "list", "--organization", slug, "--unmoved"}).at("data").as_array().empty());

    std::ofstream(pepper, std::ios::trunc) << "another pepper of thirty-two bytes or so";
    REQUIRE(call({"key", "pepper"}) == failed);
    REQUIRE(err.find("is not the pepper of this database's API keys") != std::string::npos);
    REQUIRE(err.find("thirty-two") == std::string::npos);
    REQUIRE(create("second") == done);
    REQUIRE(err.find("note: the other keys have another pepper") != std::string::npos);
    auto const adopted = json({"key", "pepper", "--adopt"});
    REQUIRE(adopted.at("databaseFingerprint") == adopted.at("fileFingerprint"));
    REQUIRE(adopted.at("activeKeys") == boost::json::object{{"current", 1}, {"other", 1}, {"unknown", 0}});
    auto const unmoved = json({"key", "list", "--organization", slug, "--unmoved"}).at("data").as_array();
    REQUIRE(unmoved.size() == 1);
    REQUIRE(unmoved[0].at("name") == "first");
}

} // namespace commands_test
