// The doctor against servers that are not the platform's own: mail, model, collector.
#include "integration/gateway/upstream.hpp"
#include "integration/support/model_double.hpp"
#include "integration/support/smtp_double.hpp"
#include "recruitctl/doctor/programs_check.hpp"
#include "recruitctl/doctor/servers_check.hpp"
#include "support/catch.hpp"
#include "support/tls_certificates.hpp"

#include <algorithm>

namespace doctor_servers_test {
using namespace recruiting;
using namespace recruiting::recruitctl::doctor;
using namespace std::chrono_literals;

TEST_CASE("a model server and a collector are asked as the programs ask them", "[doctor]") {
    test::certificate_authority authority;
    authority.write("headers", "X-Key: geheim\n");
    test::model_double const model(authority.issue("model", {"IP:127.0.0.1"}));
    test::recording_upstream const collector([](std::string const& request) {
        bool const ours = request.starts_with("GET /otlp/v1/traces ") && request.find("X-Key: geheim") != request.npos;
        return std::string("HTTP/1.1 ") + (ours ? "405 Method Not Allowed" : "401 Unauthorized") +
               "\r\nContent-Length: 0\r\n\r\n";
    });
    installation of;
    auto& settings = of.programs[1].settings;
    settings["RECRUITING_AGENT_MODEL_BASE_URL"] = model.base_url() + "/";
    settings["RECRUITING_AGENT_MODEL_CA_FILE"] = authority.file();
    settings["RECRUITING_TRACE_ENDPOINT"] = "http://127.0.0.1:" + std::to_string(collector.port()) + "/otlp/";
    settings["RECRUITING_TRACE_HEADERS_FILE"] = authority.path("headers");
    programs_questions ask;
    ask.limit = 20s;
    auto const asked = [&](std::string_view check) {
        auto const all = check_others(read_programs(of, ask));
        auto const found = std::ranges::find(all, check, &finding::check);
        REQUIRE(found != all.end());
        return *found;
    };
    CHECK(asked("reach.model").what == check_status::ok);
    CHECK(asked("reach.traces").what == check_status::ok);
    settings["RECRUITING_TRACE_HEADERS_FILE"] = authority.path("none");
    CHECK(asked("reach.traces").text.find("RECRUITING_TRACE_HEADERS_FILE") != std::string::npos);
    settings.erase("RECRUITING_TRACE_HEADERS_FILE");
    CHECK(asked("reach.traces").what == check_status::problem); // it wants the field
    settings["RECRUITING_TRACE_ENDPOINT"] = model.base_url();
    CHECK(asked("reach.traces").what == check_status::problem); // nobody vouches for its certificate
    settings["RECRUITING_TRACE_CA_FILE"] = authority.file();
    CHECK(asked("reach.traces").what == check_status::warning); // 404: it is no collector
}

TEST_CASE("a mail server is asked, and given no mail", "[doctor]") {
    test::certificate_authority authority;
    test::smtp_double server(authority.issue("mail", {"IP:127.0.0.1"}));
    installation of;
    of.programs[1].name = "auth-api";
    of.programs[1].here = true;
    auto& settings = of.programs[1].settings;
    settings["RECRUITING_MAIL_URL"] = server.url();
    auto const outcome_now = [&] { return check_mail({read_mail(of, 20s), {}}).front(); };
    CHECK(outcome_now().what == check_status::ok);
    settings["RECRUITING_MAIL_TLS"] = "required";
    CHECK(outcome_now().what == check_status::problem); // it offers none
    test::smtp_manners manners;
    manners.offers_starttls = true;
    manners.wants_login = true;
    server.behave(manners);
    CHECK(outcome_now().what == check_status::problem); // nobody vouches for its certificate
    settings["RECRUITING_MAIL_CA_FILE"] = authority.file();
    settings["RECRUITING_MAIL_URL"] = "smtp://u:p@" + server.url().substr(7);
    CHECK(outcome_now().what == check_status::ok);
    settings["RECRUITING_MAIL_URL"] = "smtp://u:geheim@" + server.url().substr(7);
    CHECK(outcome_now().what == check_status::problem);
    CHECK(outcome_now().text.find("geheim") == std::string::npos);
    CHECK(server.mails().empty());
}

} // namespace doctor_servers_test
