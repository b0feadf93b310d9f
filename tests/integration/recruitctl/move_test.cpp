// An organization is the same in the installation that imports it, and nothing else there is touched.
#include "core/text.hpp"
#include "integration/recruitctl/move_fixture.hpp"
#include "recruitctl/move/move.hpp"

#include <sys/stat.h>

namespace move_test {
using namespace recruiting;
using namespace recruiting::test;
using recruitctl::done;
using recruitctl::failed;
using recruitctl::moved_tables;

namespace {

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

using replacement = std::pair<std::string, std::string>;
std::string changed(std::string text, replacement const& how) {
    auto const at = text.find(how.first);
    REQUIRE(at != std::string::npos);
    return text.replace(at, how.first.size(), how.second);
}

// Every table of the installation, as text.
std::string everything(test_database& in) {
    std::string all;
    for (auto const table : moved_tables)
        all += move_fixture::value(
            in, "SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') FROM recruiting." +
                    std::string(table) + " t");
    return all;
}

} // namespace

TEST_CASE_METHOD(move_fixture, "an organization is moved row by row, and its audit chain goes on",
                 "[recruitctl][move]") {
    move();
    for (auto const table : moved_tables) {
        CAPTURE(table);
        auto const here = rows(source, table);
        CHECK(!here.empty());
        CHECK(rows(other, table) == here);
    }
    for (auto const* table : {"memberships", "jobs", "candidates", "job_counts", "job_candidates", "reach_changes"})
        CHECK(value(other, "SELECT count(DISTINCT changed_xid) FROM recruiting." + std::string(table)) == "1");

    auto const last = std::stoi(value(source, "SELECT sequence FROM recruiting.audit_heads"));
    seal(other);
    CHECK(value(other, "SELECT action FROM recruiting.audit_log WHERE sequence = " + std::to_string(last + 1)) ==
          "organization.imported");
    CHECK(call(other, {"audit", "verify"}) == done);
    CHECK(contains(out, "intact: "));
    CHECK(call(source, {"audit", "verify"}) == done);
}

TEST_CASE_METHOD(move_fixture, "the file is private, and is not written over another", "[recruitctl][move]") {
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    struct stat file {};
    REQUIRE(::stat(path("file").c_str(), &file) == 0);
    CHECK((file.st_mode & 0777) == 0600);
    CHECK(export_to("file") == failed);
    CHECK(contains(err, "File exists"));
}

TEST_CASE_METHOD(move_fixture, "an organization that is not frozen is not exported", "[recruitctl][move]") {
    CHECK(export_to("file") == failed);
    CHECK(contains(err, "not frozen"));
    CHECK(!std::filesystem::exists(path("file")));
    REQUIRE(freeze() == done);
    REQUIRE(call_of_slug(source, "unfreeze") == done);
    CHECK(export_to("file") == failed);
}

TEST_CASE_METHOD(move_fixture, "a transaction of before the freeze is waited for", "[recruitctl][move]") {
    pg::client writer(source.owner_url(), "tests");
    pg::transaction open(writer);
    writer.run("UPDATE recruiting.candidates SET phone = '1'");
    REQUIRE(freeze() == done);
    CHECK(call_of_slug(source, "export", {"--settle", "0s", "--wait", "0s", path("file")}) == failed);
    CHECK(contains(err, "a transaction that began before the freeze"));
    CHECK(!std::filesystem::exists(path("file")));
    open.commit();
    CHECK(export_to("file") == done);
    CHECK(contains(rows(source, "candidates"), R"("phone": "1")"));
}

TEST_CASE_METHOD(move_fixture, "what is in progress is waited for", "[recruitctl][move]") {
    struct unfinished {
        std::string begin, end, name;
    };
    auto const one = GENERATE(values<unfinished>({
        {"UPDATE recruiting.agent_runs SET status = 'in_progress', reply = NULL, finished_at = NULL",
         "UPDATE recruiting.agent_runs SET status = 'failed', failure = 'x', finished_at = now()",
         "a run of the agent"},
        {"UPDATE recruiting.mail_outbox SET leased_until = now() + interval '1 hour'",
         "UPDATE recruiting.mail_outbox SET leased_until = now()", "a mail that is being sent"},
        {"UPDATE recruiting.booking_requests SET leased_until = now() + interval '1 hour'",
         "UPDATE recruiting.booking_requests SET leased_until = now()", "a booking request that is being processed"},
        {"INSERT INTO recruiting.audit_refusals SELECT id, now(), gen_random_uuid(), organization_id, 1, 1, now() FROM "
         "recruiting.api_keys",
         "UPDATE recruiting.audit_refusals SET minute = now() - interval '1 hour'", "counts of rejected requests"},
    }));
    CAPTURE(one.name);
    REQUIRE(freeze() == done);
    old.booking.change(one.begin);
    CHECK(call_of_slug(source, "export", {"--settle", "0s", "--wait", "0s", path("file")}) == failed);
    CHECK(contains(err, one.name));
    old.booking.change(one.end);
    CHECK(export_to("file") == done);
}

// The stream's first byte is written while the snapshot is open: an acknowledged request of that moment is not in it.
TEST_CASE_METHOD(move_fixture, "a file without something that was written meanwhile has no end", "[recruitctl][move]") {
    struct writes_meanwhile : std::stringbuf {
        std::function<void()> then;
        std::streamsize xsputn(char const* text, std::streamsize size) override {
            if (auto const now = std::exchange(then, nullptr)) now();
            return std::stringbuf::xsputn(text, size);
        }
    } buffer;
    buffer.then = [&] {
        pg::client service(source.auth_url(), "tests");
        service.run(
            "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) VALUES "
            "(gen_random_uuid(), now(), $1, 'api_key', 'api.request', true)",
            pg::params().text(id));
    };
    std::ostream to(&buffer);
    REQUIRE(freeze() == done);
    recruitctl::export_options const how{test_key_settings().pepper, {}, std::chrono::seconds{20}, [](auto const&) {}};
    std::string why;
    try {
        recruitctl::export_organization(source.owner(), {old.booking.organization, slug, "x"}, how, to);
    } catch (recruitctl::failure const& error) {
        why = error.what();
    }
    CHECK(contains(why, "was written while it was exported"));
    write("file", buffer.str());
    CHECK(import_from("file") == failed);
    CHECK(contains(err, "it is cut off"));
    CHECK(!has_organization(other));
}

TEST_CASE_METHOD(move_fixture, "a file that was changed or cut off changes nothing", "[recruitctl][move]") {
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    auto const whole = read("file");
    auto const before = everything(other);
    auto const refused = [&](std::string const& text, std::string const& why) {
        write("bad", text);
        CHECK(import_from("bad") == failed);
        CAPTURE(err);
        CHECK(contains(err, why));
        CHECK(everything(other) == before);
    };
    refused(whole.substr(0, whole.size() / 2), "it is cut off");
    refused(whole.substr(0, whole.rfind("sha256 ")), "it is cut off");
    refused(whole.substr(0, whole.size() - 1), "it is cut off");
    refused(whole + "x", "something follows its end");
    refused(changed(whole, {ann, "eve@mail.example"}), "it was changed");
    refused(changed(whole, {"table invoices", "table invoice"}), "its tables are not those of this version");
    refused(changed(whole, {"recruiting-organization/1", "recruiting-organization/2"}), "it does not begin with");
    refused(changed(whole, {R"("schemaVersion":)", R"("schemaVersion":9)"}), "schema version");
    refused(changed(whole, {R"("auditMonths")", R"("months")"}), "its header lacks a field");
    refused("", "it is cut off");
}

TEST_CASE_METHOD(move_fixture, "rows of another organization are not imported", "[recruitctl][move]") {
    auto const victim = make_organization(other.owner(), new_slug()).id;
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    // With the right digest: whoever writes the file can compute it.
    auto text = read("file");
    auto const invoices = text.find("table invoices");
    auto const at = text.find(to_dashed_string(old.booking.organization), invoices);
    text.replace(at, 36, to_dashed_string(victim));
    text.resize(text.rfind("sha256 "));
    write("bad", text + "sha256 " + to_hex(bytes_of(sha256(text))) + "\n");
    auto const before = everything(other);
    CHECK(import_from("bad") == failed);
    CHECK(contains(err, "rows of another organization in invoices"));
    CHECK(everything(other) == before);
}

TEST_CASE_METHOD(move_fixture, "nobody is imported under another's address", "[recruitctl][move]") {
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    auto text = read("file");
    auto const end = text.find("table memberships");
    auto const at = text.find(admin, text.find("table users"));
    REQUIRE(at < end);
    text.replace(at, admin.size(), "owner@elsewhere.example");
    text.resize(text.rfind("sha256 "));
    write("bad", text + "sha256 " + to_hex(bytes_of(sha256(text))) + "\n");
    auto const before = everything(other);
    CHECK(import_from("bad") == failed);
    CHECK(contains(err, "known by another's address"));
    CHECK(everything(other) == before);
}

TEST_CASE_METHOD(move_fixture, "an organization or a slug that is there is a conflict", "[recruitctl][move]") {
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    make_organization(other.owner(), slug);
    auto const before = everything(other);
    CHECK(import_from("file") == failed);
    CHECK(contains(err, "another organization of this installation has the slug " + slug));
    CHECK(everything(other) == before);

    other.owner().run("UPDATE recruiting.organizations SET slug = 'other-slug'");
    CHECK(import_from("file") == done);
    auto const after = everything(other);
    CHECK(import_from("file") == failed);
    CHECK(contains(err, "has the organization already"));
    CHECK(everything(other) == after);
}

TEST_CASE_METHOD(move_fixture, "keys need the same pepper", "[recruitctl][move]") {
    write("other pepper", std::string(32, 'q'));
    auto const key = value(source, "SELECT name FROM recruiting.api_keys");
    REQUIRE(freeze() == done);
    REQUIRE(export_to("file") == done);
    CHECK(!contains(read("file"), test_key_settings().pepper));
    CHECK(import_from("file", {}, "other pepper") == failed);
    CHECK(contains(err, "1 API keys do not work here"));
    CHECK(contains(err, key));
    CHECK(!has_organization(other));
    CHECK(import_from("file", {"--other-pepper"}, "other pepper") == done);
    CHECK(contains(err, key));
    CHECK(has_organization(other));
}

TEST_CASE_METHOD(move_fixture, "a person who is known by address stays one person", "[recruitctl][move]") {
    auto const here = make_organization(other.owner(), new_slug());
    make_member(other.owner(), here.slug, admin, role::viewer);
    auto const person = value(other, "SELECT id FROM recruiting.users WHERE email_key = '" + admin + "'");
    move();
    CHECK(value(other, "SELECT count(*) FROM recruiting.users WHERE email_key = '" + admin + "'") == "1");
    CHECK(value(other, "SELECT user_id FROM recruiting.memberships WHERE organization_id = '" + id +
                           "' AND role = 'admin'") == person);
}

TEST_CASE_METHOD(move_fixture, "remove leaves nothing of an exported organization, and all of others",
                 "[recruitctl][move]") {
    auto const neighbor = make_organization(source.owner(), new_slug());
    make_member(source.owner(), neighbor.slug, admin, role::viewer); // a member of both
    CHECK(call_of_slug(source, "remove", {"--imported"}) == failed);
    CHECK(contains(err, "not frozen"));
    REQUIRE(freeze() == done);
    CHECK(call_of_slug(source, "remove", {"--imported"}) == failed);
    CHECK(contains(err, "does not end with the export"));
    REQUIRE(export_to("file") == done);
    CHECK(call_of_slug(source, "remove") == recruitctl::usage);
    seal(source);
    auto const theirs =
        move_fixture::value(source, "SELECT count(*) FROM recruiting.audit_log WHERE organization_id <> '" + id + "'");
    CHECK(call_of_slug(source, "remove", {"--imported"}) == done);
    for (auto const table : moved_tables) {
        CAPTURE(table);
        CHECK(rows(source, table).empty());
    }
    CHECK(value(source, "SELECT string_agg(email_key, ' ' ORDER BY created_at DESC) FROM recruiting.users") ==
          "admin@" + neighbor.slug + ".example " + admin);
    CHECK(value(source, "SELECT count(*) FROM recruiting.memberships") == "2");
    CHECK(value(source, "SELECT count(*) FROM recruiting.audit_log") == theirs);
    CHECK(call(source, {"audit", "verify"}) == done);
}

TEST_CASE_METHOD(move_fixture, "remove rejects what happened after the export", "[recruitctl][move]") {
    move();
    old.booking.change(
        "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success) "
        "VALUES (gen_random_uuid(), now(), '" +
        id + "', 'api_key', 'key.revoked', true)");
    CHECK(call_of_slug(source, "remove", {"--imported"}) == failed);
    seal(source);
    CHECK(call_of_slug(source, "remove", {"--imported"}) == failed);
    CHECK(has_organization(source));
}

} // namespace move_test
