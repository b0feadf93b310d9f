#include "redis/settings.hpp"

namespace recruiting::redis {
namespace {

std::optional<std::string> tls_problem(address const& of) {
    if (!of.is_encrypted) {
        if (of.tls.ca_file.empty() && of.tls.own.certificates.empty()) return std::nullopt;
        return "RECRUITING_REDIS_CA_FILE and RECRUITING_REDIS_CERTIFICATE need an address with TLS: rediss:// or "
               "sentinels://";
    }
    try {
        tls_client const opened(of.tls); // what a connection opens
        return std::nullopt;
    } catch (std::exception const& error) {
        return error.what();
    }
}

} // namespace

void declare_url(settings_reader& reader, std::string name, std::string default_text, address& target,
                 std::string help) {
    reader.custom(std::move(name), std::move(default_text), std::move(help),
                  [&target](std::string_view value) { return read_address(value, target); });
    reader.last_may_be_in_file();
}

void declare_tls(settings_reader& reader, tls_client_settings& target, std::function<address()> used) {
    reader.certificates_file("RECRUITING_REDIS_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify Redis and its Sentinels over TLS; empty: the "
                             "system's. Read again when it changes.");
    declare_certificate(reader, "RECRUITING_REDIS_CERTIFICATE", target.own,
                        "PEM files CHAIN:KEY of the program's client certificate for Redis and its Sentinels. Read "
                        "again when they change.");
    reader.rule([used = std::move(used)] { return tls_problem(used()); });
}

} // namespace recruiting::redis
