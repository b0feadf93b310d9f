// Certificates for the tests: an authority of the test's own, and what it signs, as PEM files in a directory that goes
// with it.
#pragma once
#include "crypto/tls_client.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace recruiting::test {

class certificate_authority {
public:
    certificate_authority();
    ~certificate_authority();
    certificate_authority(certificate_authority const&) = delete;
    certificate_authority& operator=(certificate_authority const&) = delete;

    [[nodiscard]] std::string file() const { return path("authority.pem"); }
    [[nodiscard]] std::string path(std::string const& name) const { return directory_ + "/" + name; }
    /// name.pem and name.key, for these subject alternative names: "DNS:localhost", "IP:127.0.0.1". Called again with
    /// the same name it puts a new certificate and key in place. valid_for may be negative: it has expired.
    tls_files issue(std::string const& name, std::vector<std::string> const& alternatives,
                    std::chrono::seconds valid_for = std::chrono::hours{24});
    void write(std::string const& name, std::string_view content) const;

private:
    struct identity;
    std::string directory_;
    std::unique_ptr<identity> self_;
};

} // namespace recruiting::test
