// The settings of the Redis that a program counts in: its address, and the files of TLS.
#pragma once
#include "core/settings.hpp"
#include "redis/address.hpp"

#include <string>

namespace recruiting::redis {

/// A setting with an address of Redis, which may stand in a file (NAME_FILE).
void declare_url(settings_reader& reader, std::string name, std::string default_text, address& target,
                 std::string help);
/// RECRUITING_REDIS_CA_FILE and RECRUITING_REDIS_CERTIFICATE. used returns the address that the program connects to:
/// with TLS, the files must be usable; without, none may be given.
void declare_tls(settings_reader& reader, tls_client_settings& target, std::function<address()> used);

} // namespace recruiting::redis
