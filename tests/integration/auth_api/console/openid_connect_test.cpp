// Sign-in by OpenID Connect, against a provider of the test's own that behaves well or badly.
#include "auth/session.hpp"
#include "integration/auth_api/console/browser.hpp"
#include "integration/support/provider_double.hpp"
#include "support/catch.hpp"
#include "support/jose_signer.hpp"

#include <boost/json/array.hpp>
#include <regex>

namespace openid_connect_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

std::string const problem = "/console/sign-in?problem=";

/// A console whose members sign in at a provider.
struct oidc_system {
    explicit oidc_system(std::function<void(auth_api::settings&)> const& adjust = {})
        : console([&](auth_api::settings& config) {
              config.console.oidc.issuer = provider.issuer();
              config.console.oidc.client_id = "console";
              config.console.oidc.name = "Example ID";
              if (adjust) adjust(config);
          }) {
        provider.set_claim("email", console.email("admin"));
    }

    provider_double provider;
    console_system console;
};

// A browser that keeps the cookie of a sign-in in progress, besides the session's.
struct visitor {
    explicit visitor(oidc_system& at) : system(at), browser(at.console) {}

    http_answer get(std::string const& path, std::string const& lines = {}) {
        auto own = lines;
        if (!browser.cookie.empty() || !flow.empty()) own += "Cookie: " + browser.cookie + "; " + flow + "\r\n";
        auto answer = browser.send_bare("GET", "/console/api/oidc" + path, own);
        keep(answer, "sp_session", browser.cookie);
        keep(answer, "sp_oidc", flow);
        return answer;
    }
    /// To the provider: its authorization URL.
    std::string start(std::string const& query = {}) {
        auto const answer = get("/start" + query);
        CHECK(answer.status == 303);
        return answer.header("location");
    }
    /// Back from the provider; where the browser is sent.
    std::string come_back(std::string const& query) {
        auto const answer = get("/callback?" + query);
        CHECK(answer.status == 303);
        return answer.header("location");
    }
    /// The whole way.
    std::string sign_in(std::string const& query = {}) { return come_back(system.provider.visit(start(query))); }
    [[nodiscard]] bool is_signed_in() { return browser.send("GET", "/session").status == 200; }

    static void keep(http_answer const& answer, std::string const& name, std::string& into) {
        std::regex const field("set-cookie: (" + name + "=[^;\r]*)", std::regex::icase);
        std::smatch found;
        if (!std::regex_search(answer.head, found, field)) return;
        into = found[1];
        if (into.ends_with('=')) into.clear();
    }

    oidc_system& system;
    console_browser browser;
    std::string flow; // "sp_oidc=…", or ""
};

} // namespace

TEST_CASE("a member signs in at the provider and comes back to where they were", "[console][oidc]") {
    oidc_system s;
    visitor ann(s);
    auto const settings = ann.browser.send("GET", "/settings");
    CHECK(settings.body.find(R"("openIdConnect":{"name":"Example ID"})") != std::string::npos);
    auto const url = ann.start("?returnTo=%2Fconsole%2Fmembers%3Frole%3Dadmin");
    CHECK(url.starts_with(s.provider.issuer() + "/auth?response_type=code&"));
    auto const query = s.provider.visit(url);
    auto const asked = s.provider.visited();
    CHECK(asked.at("scope") == "openid email");
    CHECK(asked.at("code_challenge_method") == "S256");
    CHECK_FALSE(ann.is_signed_in());
    auto const answer = ann.get("/callback?" + query);
    CHECK(answer.status == 303);
    CHECK(answer.header("location") == "/console/members?role=admin");
    CHECK(answer.header("cache-control") == "no-store");
    CHECK(answer.header("referrer-policy") == "no-referrer");
    CHECK(ann.flow.empty());
    CHECK(ann.is_signed_in());
    CHECK(ann.browser.session_field("email") == s.console.email("admin"));
    CHECK(s.console.value("SELECT count(*) FROM audit_rows WHERE action = 'member.signed_in'") == "1");
    CHECK(s.console.value("SELECT count(*) FROM recruiting.console_sessions") == "1");
    auto const exchange = s.provider.requests("/token").at(0);
    CHECK(exchange.body.find("client_id=console") != std::string::npos); // a public client
}

TEST_CASE("signing in makes a new cookie and ends the browser's old session", "[console][oidc]") {
    oidc_system s;
    visitor ann(s);
    REQUIRE(ann.browser.sign_in(s.console.email("admin")).status == 201);
    auto const old = ann.browser.cookie;
    CHECK(ann.sign_in() == "/console");
    CHECK(ann.browser.cookie != old);
    visitor thief(s);
    thief.browser.cookie = old;
    CHECK_FALSE(thief.is_signed_in());
}

TEST_CASE("an invited member joins, a removed one and a stranger have no access", "[console][oidc]") {
    oidc_system s;
    s.console.database.owner().run("UPDATE recruiting.memberships SET status = 'invited'");
    visitor ann(s);
    CHECK(ann.sign_in() == "/console");
    CHECK(s.console.value("SELECT status FROM recruiting.memberships") == "active");
    CHECK(s.console.value("SELECT count(*) FROM audit_rows WHERE action = 'member.joined'") == "1");

    s.provider.set_claim("email", "stranger@elsewhere.example");
    CHECK(visitor(s).sign_in() == problem + "no_access");
    s.provider.set_claim("email", s.console.email("admin"));
    s.console.database.owner().run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now()");
    visitor gone(s);
    CHECK(gone.sign_in() == problem + "no_access");
    CHECK_FALSE(gone.is_signed_in());
    CHECK(s.console.value("SELECT count(*) FROM recruiting.console_sessions") == "0");
}

TEST_CASE("an address counts in any case, and only when the provider has verified it", "[console][oidc]") {
    oidc_system s;
    auto shouted = s.console.email("admin");
    shouted[0] = 'A';
    s.provider.set_claim("email", shouted);
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.set_claim("email_verified", "true"); // as Cognito sends it
    CHECK(visitor(s).sign_in() == "/console");
    for (boost::json::value const& verified : {boost::json::value(false), boost::json::value("1")}) {
        s.provider.set_claim("email_verified", verified);
        CHECK(visitor(s).sign_in() == problem + "no_access");
    }
    s.provider.remove_claim("email_verified");
    CHECK(visitor(s).sign_in() == problem + "no_access");
    s.provider.remove_claim("email");
    CHECK(visitor(s).sign_in() == problem + "no_access");
}

TEST_CASE("the provider's address is compared by its canonical form, and its local part as it was typed",
          "[console][oidc]") {
    oidc_system s;
    auto& owner = s.console.database.owner();
    make_member(owner, s.console.slug, "owner@minerva.example", role::admin);
    make_member(owner, s.console.slug, "kim@köln.example", role::viewer);
    make_member(owner, s.console.slug, "josé@minerva.example", role::viewer);
    for (auto const* claimed : {"owner@mİnerva.example", "owner@mınerva.example", "jose\u0301@minerva.example"}) {
        INFO(claimed);
        s.provider.set_claim("email", claimed);
        visitor stranger(s);
        CHECK(stranger.sign_in() == problem + "no_access");
        CHECK_FALSE(stranger.is_signed_in());
    }
    for (auto const* claimed :
         {"Owner@MINERVA.example", "kim@xn--kln-sna.example", "kim@KÖLN.example", "josé@minerva.example"}) {
        INFO(claimed);
        s.provider.set_claim("email", claimed);
        CHECK(visitor(s).sign_in() == "/console");
    }
}

TEST_CASE("without email_verified an address counts where the operator trusts the issuer", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.trusts_email = true; });
    s.provider.remove_claim("email_verified");
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.set_claim("xms_edov", false);
    CHECK(visitor(s).sign_in() == problem + "no_access");
    s.provider.set_claim("xms_edov", true);
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.set_claim("email_verified", false);
    CHECK(visitor(s).sign_in() == problem + "no_access");

    oidc_system fresh([](auto& config) { config.console.oidc.trusts_email = true; });
    fresh.provider.remove_claim("email_verified");
    fresh.provider.remove_claim("email");
    fresh.provider.set_userinfo({{"sub", "person-1"}, {"email", fresh.console.email("admin")}});
    CHECK(visitor(fresh).sign_in() == "/console");
    fresh.provider.set_claim("xms_edov", false); // about the address that only UserInfo names
    CHECK(visitor(fresh).sign_in() == problem + "no_access");
}

TEST_CASE("where members must use the provider, no mailed link signs in, and an operator's does", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.required = true; });
    auto const address = s.console.email("admin");
    console_browser ann(s.console);
    auto const settings = ann.send("GET", "/settings");
    CHECK(settings.body.find(R"("mail":false,"openIdConnect":{"name":"Example ID"})") != std::string::npos);
    CHECK(ann.send("POST", "/sign-in-links", R"({"email":")" + address + R"("})").status == 202);
    CHECK(s.console.value("SELECT count(*) FROM recruiting.sign_in_requests") == "0"); // so no mail

    auto const refused = [&](std::string const& token) {
        auto const body = R"({"token":")" + token + R"("})";
        CHECK(ann.send("POST", "/sign-in-links/inspect", body).status == 404);
        auto const answer = ann.use_link(token);
        CHECK(answer.status == 404);
        CHECK(answer.header("set-cookie").empty());
    };
    auto const mailed = s.console.link(address);
    refused(mailed);
    auto const invited = s.console.link(address);
    s.console.database.owner().run("UPDATE recruiting.sign_in_tokens SET membership_id = (SELECT id FROM "
                                   "recruiting.memberships)");
    s.console.database.owner().run("UPDATE recruiting.memberships SET status = 'invited', invitation_open = true");
    refused(invited);
    CHECK(s.console.value("SELECT status FROM recruiting.memberships") == "invited");
    CHECK(s.console.value("SELECT count(*) FROM recruiting.console_sessions") == "0");

    visitor bob(s);
    CHECK(bob.sign_in() == "/console"); // and joins
    CHECK(s.console.value("SELECT status FROM recruiting.memberships") == "active");
    auto const emergency = s.console.link(address);
    s.console.database.owner().run("UPDATE recruiting.sign_in_tokens SET by_operator = true WHERE hash = $1",
                                   pg::params().bytes(bytes_of(auth::hash_sign_in_token(emergency))));
    CHECK(ann.send("POST", "/sign-in-links/inspect", R"({"token":")" + emergency + R"("})").status == 200);
    CHECK(ann.use_link(emergency).status == 201);
    CHECK(ann.use_link(emergency).status == 404); // once
}

TEST_CASE("a provider that keeps the address out of the ID Token is asked for UserInfo", "[console][oidc]") {
    oidc_system s;
    s.provider.remove_claim("email");
    s.provider.set_userinfo({{"sub", "person-1"}, {"email", s.console.email("admin")}, {"email_verified", true}});
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.set_userinfo({{"sub", "person-2"}, {"email", s.console.email("admin")}, {"email_verified", true}});
    CHECK(visitor(s).sign_in() == problem + "response_invalid");
    s.provider.answer("/me", model_answer::error(500));
    CHECK(visitor(s).sign_in() == problem + "provider_unavailable");
}

TEST_CASE("an ID Token that breaks a rule signs nobody in", "[console][oidc]") {
    oidc_system s;
    s.provider.set_claim("aud", boost::json::array{"another", "console"});
    s.provider.set_claim("azp", "console");
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.remove_claim("aud");
    s.provider.remove_claim("azp");
    s.console.database.owner().run("DELETE FROM recruiting.console_sessions");
    auto const now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    std::vector<std::pair<std::string, boost::json::value>> const wrong = {
        {"nonce", "another"},
        {"aud", "another"},
        {"aud", boost::json::array{"console", "another"}},
        {"azp", "another"},
        {"iss", "https://evil.example"},
        {"iss", boost::json::string(s.provider.issuer() + "/")},
        {"exp", now - 120},
        {"iat", now - 3600},
        {"iat", now + 3600},
        {"nbf", now + 3600},
        {"sub", ""},
        {"at_hash", "another"}};
    for (auto const& [name, value] : wrong) {
        INFO(name);
        s.provider.set_claim(name, value);
        visitor ann(s);
        CHECK(ann.sign_in() == problem + "response_invalid");
        CHECK_FALSE(ann.is_signed_in());
        if (name == "sub") s.provider.set_claim("sub", "person-1");
        else s.provider.remove_claim(name);
    }
    jose_signer const impostor(jose_signer::kind::rsa, "key-1");
    std::vector<provider_double::signing> const forgeries = {
        [](auto const& claims, auto const&) { return unsigned_token(claims); },
        [](auto const& claims, auto const& pem) { return mac_token(pem, claims, "key-1"); },
        [&](auto const& claims, auto const&) { return impostor.sign("RS256", claims); },
        [](auto const&, auto const&) { return std::string("not a token"); },
    };
    for (auto const& forge : forgeries) {
        s.provider.sign_by(forge);
        visitor ann(s);
        CHECK(ann.sign_in() == problem + "response_invalid");
        CHECK_FALSE(ann.is_signed_in());
    }
    s.provider.sign_by({});
    CHECK(visitor(s).sign_in() == "/console");
    CHECK(s.console.value("SELECT count(*) FROM recruiting.console_sessions") == "1");
}

TEST_CASE("a callback works in the browser that began, once, and for its own state", "[console][oidc]") {
    oidc_system s;
    visitor mallory(s);
    auto const planted = s.provider.visit(mallory.start());
    visitor ann(s);
    CHECK(ann.come_back(planted) == problem + "expired"); // login CSRF: no cookie of a sign-in
    auto const own = s.provider.visit(ann.start());
    auto const cookie = ann.flow;
    CHECK(ann.come_back(planted) == problem + "expired"); // another's state
    CHECK(ann.flow == cookie);                            // her own sign-in goes on
    auto const state = own.substr(own.find("state="));
    CHECK(ann.come_back(planted.substr(0, planted.find('&')) + "&" + state) == problem + "provider_rejected"); // PKCE
    CHECK(ann.flow.empty());
    CHECK_FALSE(ann.is_signed_in());

    auto const again = s.provider.visit(ann.start());
    auto const kept = ann.flow;
    CHECK(ann.come_back(again) == "/console");
    CHECK(ann.come_back(again) == problem + "expired"); // the cookie is gone
    visitor thief(s);
    thief.flow = kept;
    CHECK(thief.come_back(again) == problem + "provider_rejected"); // the provider takes a code once
    CHECK_FALSE(thief.is_signed_in());
}

TEST_CASE("a sign-in is finished once, even by a provider that takes codes again", "[console][oidc]") {
    oidc_system s;
    s.provider.allow_replays();
    visitor ann(s);
    auto const query = s.provider.visit(ann.start());
    auto const kept = ann.flow;
    CHECK(ann.come_back(query) == "/console");
    visitor thief(s);
    thief.flow = kept;
    CHECK(thief.come_back(query) == problem + "no_access");
    CHECK_FALSE(thief.is_signed_in());
    CHECK(ann.is_signed_in());
}

TEST_CASE("a callback that names another issuer, or none where one is announced, is refused", "[console][oidc]") {
    oidc_system s;
    s.provider.set_document("authorization_response_iss_parameter_supported", true);
    visitor ann(s);
    CHECK(ann.come_back(s.provider.visit(ann.start())) == problem + "response_invalid");
    auto const named = [&](std::string const& issuer) {
        auto const query = s.provider.visit(ann.start());
        return ann.come_back(query + "&iss=" + issuer);
    };
    CHECK(named("https%3A%2F%2Fevil.example") == problem + "response_invalid");
    CHECK(s.provider.requests("/token").empty());
    CHECK(named(s.provider.issuer()) == "/console");
}

TEST_CASE("errors of the provider become codes of a closed list", "[console][oidc]") {
    oidc_system s;
    visitor ann(s);
    auto const with = [&](std::string const& error) {
        auto const query = s.provider.visit(ann.start());
        return ann.come_back("error=" + error + "&error_description=%3Cb%3E&" + query.substr(query.find("state=")));
    };
    CHECK(with("access_denied") == problem + "canceled");
    CHECK(with("temporarily_unavailable") == problem + "provider_unavailable");
    CHECK(with("%3Cscript%3E") == problem + "provider_rejected");
    s.provider.answer("/token", model_answer{R"({"error":"invalid_client"})", 401});
    CHECK(ann.sign_in() == problem + "provider_rejected");
    s.provider.answer("/token", model_answer{"{}", 302, "Location: " + s.provider.issuer() + "/keys\r\n"});
    CHECK(ann.sign_in() == problem + "provider_unavailable"); // redirects are not followed
    CHECK(s.provider.requests("/keys").empty());
    s.provider.answer("/token", model_answer{std::string(300'000, ' ')});
    CHECK(ann.sign_in() == problem + "provider_unavailable");
}

TEST_CASE("a provider that hangs costs a sign-in its time limit and nothing else", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.timeout = std::chrono::milliseconds{500}; });
    visitor ann(s);
    auto const query = s.provider.visit(ann.start());
    model_answer hanging;
    hanging.hangs = true;
    s.provider.answer("/token", hanging);
    CHECK(ann.come_back(query) == problem + "provider_unavailable");
    CHECK(ann.browser.send("GET", "/settings").status == 200);
}

TEST_CASE("a document of another issuer is not used, one that comes back is", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.failure_pause = std::chrono::milliseconds{0}; });
    s.provider.set_document("issuer", "https://evil.example");
    visitor ann(s);
    CHECK(ann.start() == problem + "provider_unavailable");
    s.provider.set_document("issuer", s.provider.issuer());
    CHECK(ann.sign_in() == "/console");
    CHECK(ann.sign_in() == "/console");
    CHECK(s.provider.requests("/.well-known/openid-configuration").size() == 2); // kept
    CHECK(s.provider.requests("/keys").size() == 1);
}

TEST_CASE("a new key of the provider is found, but keys are asked for once a pause", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.key_pause = std::chrono::hours{1}; });
    CHECK(visitor(s).sign_in() == "/console");
    s.provider.rotate_key();
    CHECK(visitor(s).sign_in() == problem + "response_invalid"); // asked less than a pause ago
    CHECK(s.provider.requests("/keys").size() == 1);

    oidc_system quick([](auto& config) { config.console.oidc.key_pause = std::chrono::milliseconds{0}; });
    CHECK(visitor(quick).sign_in() == "/console");
    quick.provider.rotate_key();
    CHECK(visitor(quick).sign_in() == "/console");
    CHECK(quick.provider.requests("/keys").size() == 2);
}

TEST_CASE("the client's secret goes to the provider in the header", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.client_secret = "s3cret"; });
    CHECK(visitor(s).sign_in() == "/console");
    CHECK(s.provider.requests("/token").at(0).has("Authorization: Basic Y29uc29sZTpzM2NyZXQ="));
}

TEST_CASE("the start refuses other places to return to, and other sites", "[console][oidc]") {
    oidc_system s;
    visitor ann(s);
    for (auto const* const path : {"https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2Fconsole%2F..%2Fapi",
                                   "%2Fconsole%5Cevil", "%2Fconsole%2Fapi%2Fsession", "%2Fapi%2Fv1%2Fme", ""}) {
        INFO(path);
        auto const answer = ann.get(std::string("/start?returnTo=") + path);
        CHECK(answer.status == 400);
        CHECK(answer.header("set-cookie").empty());
    }
    CHECK(ann.get("/start?other=1").status == 400);
    auto const elsewhere = ann.get("/start", "Sec-Fetch-Site: cross-site\r\n");
    CHECK(elsewhere.header("location") == "/console/sign-in");
    CHECK(elsewhere.header("set-cookie").empty());
    auto const head = ann.browser.send_bare("HEAD", "/console/api/oidc/start", "");
    CHECK(head.header("location") == "/console/sign-in");
    CHECK(ann.browser.send_bare("POST", "/console/api/oidc/callback", "Sec-Fetch-Site: same-origin\r\n").status == 405);
}

TEST_CASE("where no provider is set there is neither button nor path", "[console][oidc]") {
    oidc_system s([](auto& config) { config.console.oidc.issuer.clear(); });
    visitor ann(s);
    CHECK(ann.browser.send("GET", "/settings").body.find(R"("openIdConnect":null)") != std::string::npos);
    CHECK(ann.get("/start").status == 404);
    CHECK(ann.get("/callback?code=c&state=s").status == 404);
}

TEST_CASE("under https the sign-in's cookie is one that no other host can set", "[console][oidc]") {
    oidc_system s([](auto& config) { config.mail.public_url = "https://jobs.example.com"; });
    visitor ann(s);
    auto const answer = ann.get("/start");
    CHECK(answer.header("set-cookie").starts_with("__Host-sp_oidc="));
    CHECK(answer.header("set-cookie").ends_with("; Secure"));
    CHECK(answer.header("location").find("redirect_uri=https%3A%2F%2Fjobs.example.com%2Fconsole%2Fapi%2Foidc") !=
          std::string::npos);
}

TEST_CASE("the database admits an identified person to the worker for that alone, and tells it nothing",
          "[console][oidc]") {
    console_system s;
    pg::client auth(s.database.auth_url());
    auto const admit = "SELECT recruiting.admit_identified(sha256('x'), '" + s.email("admin") + "', 'admin')";
    CHECK_THROWS_AS(auth.run(admit), pg::query_error);
    auth.run("SELECT set_config('recruiting.worker', 'console', false)");
    CHECK_THROWS_AS(auth.run(admit), pg::query_error);
    auth.run("SELECT set_config('recruiting.worker', 'openid_connect', false)");
    CHECK(auth.run(admit).text(0, 0).empty());
    CHECK(
        auth.run("SELECT recruiting.admit_identified(sha256('y'), 'nobody@example.com', 'nobody')").text(0, 0).empty());
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_tokens WHERE used_at IS NULL") == "1");
    CHECK_THROWS_AS(auth.run("SELECT * FROM recruiting.sign_in_tokens WHERE user_id IS NOT NULL"), pg::query_error);
}

} // namespace openid_connect_test
