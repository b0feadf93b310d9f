// An OpenID Connect provider for tests, over real sockets: it signs what the test says, rightly or wrongly. A person at
// the provider is the test: visit() is the browser's way there and back.
#pragma once
#include "integration/support/model_double.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value_ref.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace recruiting::test {

class provider_double {
public:
    provider_double();
    ~provider_double();
    provider_double(provider_double const&) = delete;
    provider_double& operator=(provider_double const&) = delete;

    [[nodiscard]] std::string issuer() const; // "http://127.0.0.1:8081"

    /// The person signs in: from the authorization URL to the query that the browser comes back with, "code=…&state=…".
    [[nodiscard]] std::string visit(std::string const& authorization_url);
    /// Decoded parameters of the last visit.
    [[nodiscard]] std::map<std::string, std::string> visited() const;

    // How it behaves from now on. Claims are those of the next ID Tokens.
    void set_claim(std::string const& name, boost::json::value_ref value);
    void remove_claim(std::string const& name);
    void set_userinfo(boost::json::object claims); // announced from the next reading of the document on
    void set_document(std::string const& name, boost::json::value_ref value);
    /// Makes a token of the claims, in place of RS256 by the current key.
    using signing = std::function<std::string(std::string const& claims, std::string const& public_pem)>;
    void sign_by(signing how);
    void rotate_key();
    /// In place of the answers to this path; a default one takes that back.
    void answer(std::string const& path, std::optional<model_answer> one);
    /// Codes may be used again and again: as a provider that does not keep RFC 6749 section 4.1.2.
    void allow_replays();

    [[nodiscard]] std::vector<model_request_seen> requests(std::string const& path) const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace recruiting::test
