// The gateway's certificates: readable, with their own keys, not near their end, and for the name that browsers use.
#pragma once
#include "core/time.hpp"
#include "recruitctl/doctor/installation.hpp"

namespace recruiting::recruitctl::doctor {

struct certificate_facts {
    std::string check; // "certificates.gateway"
    std::string file;
    std::string wrong; // empty: readable, and the key is its own
    timestamp expires;
    bool serves_public_host{true};
};
struct certificates_facts {
    std::vector<certificate_facts> each;
    std::string public_host; // that one of them should name; empty: none is known
    timestamp now;
};
[[nodiscard]] certificates_facts read_certificates(installation const& of, timestamp now);

/// served: when the first certificate that the running gateway uses expires, as its metrics say.
[[nodiscard]] findings check_certificates(installation const& of, certificates_facts const& facts,
                                          std::optional<timestamp> served);

} // namespace recruiting::recruitctl::doctor
