// Which of several certificates a client gets for the name it asks for (SNI, RFC 6066 section 3). Pure.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

class certificate_names {
public:
    /// name: as in a certificate, "www.example.org", "*.example.org" or an address. What was added first keeps its
    /// name.
    void add(std::string_view name, std::size_t certificate);
    /// An exact name goes before a wildcard, which stands for exactly one label (RFC 9525 section 6.3). nullopt: none.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

private:
    std::map<std::string, std::size_t, std::less<>> names_;
};

} // namespace recruiting
