// The hash of tables whose keys strangers choose.
#include "core/ip.hpp"
#include "crypto/keyed_hash.hpp"
#include "gateway/client_address.hpp"
#include "support/catch.hpp"

#include <set>
#include <string>

using namespace recruiting;

TEST_CASE("count tables hash addresses with the process's key", "[gateway][crypto]") {
    auto const address = parse_ip("2001:db8::1").value();
    std::string_view const bytes(reinterpret_cast<char const*>(address.bytes.data()), address.bytes.size());
    CHECK(std::hash<ip_address>{}(address) == keyed_hash(bytes));
    CHECK(keyed_hash(bytes) == keyed_hash(std::string(bytes)));
    CHECK(keyed_hash(bytes) != std::hash<std::string_view>{}(bytes));
    std::set<std::uint64_t> met;
    for (int i = 0; i < 1000; ++i) met.insert(keyed_hash(std::to_string(i)));
    CHECK(met.size() == 1000);
}
