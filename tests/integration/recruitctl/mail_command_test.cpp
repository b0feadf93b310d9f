// recruitctl mail as an operator or a script calls it.
#include "integration/auth_api/background/mail_harness.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

#include <sstream>

namespace mail_command_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct operator_seat : mail_system {
    std::string out;
    std::string err;

    int call(std::vector<std::string> const& arguments) {
        recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", booking.database.owner_url()}};
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    boost::json::object json(std::vector<std::string> arguments) {
        arguments.emplace_back("--json");
        auto const code = call(arguments);
        CAPTURE(err, out);
        REQUIRE((code == recruitctl::done || code == recruitctl::partial));
        return boost::json::parse(out).as_object();
    }
    std::size_t count(std::vector<std::string> arguments) {
        return json(std::move(arguments)).at("data").as_array().size();
    }
    void refuse_ann() {
        server.answer_recipients([](std::string const& recipient) -> std::optional<std::string> {
            if (recipient.find(ann) == std::string::npos) return std::nullopt;
            return "550 5.1.1 ann@mail.example is unknown";
        });
    }
};

} // namespace

TEST_CASE_METHOD(operator_seat, "mail list tells what became of each mail, and of nobody", "[mail][recruitctl]") {
    book(ann);
    CHECK(count({"mail", "list", "--waiting"}) == 2);
    refuse_ann();
    send();
    CHECK(count({"mail", "list"}) == 2);
    CHECK(count({"mail", "list", "--sent", "--organization", booking.slug}) == 1);
    CHECK(count({"mail", "list", "--dead", "--organization", "another"}) == 0);
    auto const document = json({"mail", "list", "--dead"});
    auto const& dead = document.at("data").as_array().at(0).as_object();
    CHECK(dead.at("lastError").as_string() == "rejected at recipient: 550 5.1.1");
    CHECK(dead.at("attempts").as_int64() == 1);
    CHECK(out.find('@') == std::string::npos);
    CHECK(call({"mail", "list"}) == recruitctl::done);
    CHECK(out.find('@') == std::string::npos);
    CHECK(call({"mail", "list", "--dead", "--sent"}) == recruitctl::usage);
}

TEST_CASE_METHOD(operator_seat, "mail show names an address only when asked", "[mail][recruitctl]") {
    book(ann);
    auto const id = value("SELECT replace(id::text, '-', '') FROM recruiting.mail_outbox WHERE audience = 'candidate'");
    CHECK(json({"mail", "show", id}).at("kind").as_string() == "confirmed");
    CHECK(out.find('@') == std::string::npos);
    CHECK(json({"mail", "show", id, "--address"}).at("address").as_string() == ann);
    CHECK(call({"mail", "show", id}) == recruitctl::done);
    CHECK(call({"mail", "show", std::string(32, '0')}) == recruitctl::failed);
    CHECK(call({"mail", "show", "x"}) == recruitctl::usage);
}

TEST_CASE_METHOD(operator_seat, "dead mails are sent again, unless later news was sent", "[mail][recruitctl]") {
    book(ann);
    refuse_ann();
    send();
    REQUIRE(with_status("dead") == "1");
    server.answer_recipients({});
    CHECK(json({"mail", "resend", "--all-dead"}).at("resent").as_array().size() == 1);
    CHECK(value("SELECT string_agg(attempts::text, '') FROM recruiting.mail_outbox WHERE status = 'waiting'") == "0");
    send();
    CHECK(mails_to(ann).size() == 1);

    refuse_ann();
    cancel(ann);
    send();
    server.answer_recipients({});
    auto const confirmed = value("SELECT replace(id::text, '-', '') FROM recruiting.mail_outbox WHERE kind = "
                                 "'confirmed' AND audience = 'candidate'");
    CHECK(json({"mail", "resend", "--id", confirmed}).at("resent").as_array().size() ==
          1); // once more: nothing later went
    CHECK(json({"mail", "resend", "--all-dead"}).at("resent").as_array().size() == 1);
    send();
    CHECK(mails_to(ann).size() == 3);
    CHECK(call({"mail", "resend", "--id", confirmed}) == recruitctl::partial);
    CHECK(call({"mail", "resend"}) == recruitctl::usage);
    CHECK(call({"mail", "resend", "--id", confirmed, "--all-dead"}) == recruitctl::usage);
}

} // namespace mail_command_test
