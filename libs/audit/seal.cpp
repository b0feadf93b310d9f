#include "audit/seal.hpp"

#include "core/ip.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <charconv>

namespace recruiting::audit {
namespace {

class record_writer {
public:
    explicit record_writer(std::string& out) : out_(out) {}

    void add_count(std::int32_t fields) { append(fields); }
    void add(uuid const& id) {
        begin(oid::uuid, id.bytes.size());
        out_.append(reinterpret_cast<char const*>(id.bytes.data()), id.bytes.size());
    }
    // Microseconds since 2000-01-01.
    void add(timestamp time) {
        using namespace std::chrono;
        begin(oid::timestamptz, sizeof(std::int64_t));
        append(std::int64_t{duration_cast<microseconds>(time - sys_days{year{2000} / 1 / 1}).count()});
    }
    void add(bool is_true) {
        begin(oid::boolean, 1);
        append(static_cast<std::uint8_t>(is_true));
    }
    void add(std::string_view text) {
        begin(oid::text, text.size());
        out_ += text;
    }
    // Family (2: IPv4, 3: IPv6), bits of the prefix, whether it is a network, length of the address and the address.
    void add(inet_text const& text) {
        auto const slash = std::min(text.find('/'), text.size());
        auto const address = parse_ip(text.substr(0, slash)).value_or(recruiting::ip_address{});
        bool const is_v4 = text.find(':') == std::string_view::npos;
        std::uint8_t const length = is_v4 ? 4 : 16;
        unsigned bits = is_v4 ? 32 : 128;
        std::from_chars(text.data() + std::min(slash + 1, text.size()), text.data() + text.size(), bits);
        begin(oid::inet, std::size_t{4} + length);
        append(static_cast<std::uint8_t>(is_v4 ? 2 : 3));
        append(static_cast<std::uint8_t>(bits));
        append(std::uint8_t{0});
        append(length);
        for (auto at = address.bytes.size() - length; at < address.bytes.size(); ++at) append(address.bytes[at]);
    }
    template <std::signed_integral Int>
    void add(Int number) {
        begin(type_of<Int>, sizeof number);
        append(number);
    }
    template <class T>
    void add(std::optional<T> const& value) {
        if (value) return add(*value);
        append(static_cast<std::uint32_t>(type_of<T>));
        append(std::int32_t{-1});
    }

private:
    enum class oid : std::uint32_t {
        boolean = 16,
        bigint = 20,
        smallint = 21,
        integer = 23,
        text = 25,
        inet = 869,
        timestamptz = 1184,
        uuid = 2950
    };
    template <class T>
    static constexpr oid type_of = std::same_as<T, uuid>           ? oid::uuid
                                   : std::same_as<T, inet_text>    ? oid::inet
                                   : std::same_as<T, std::int16_t> ? oid::smallint
                                   : std::same_as<T, std::int32_t> ? oid::integer
                                   : std::same_as<T, std::int64_t> ? oid::bigint
                                                                   : oid::text;

    void append(std::integral auto number) { append_network_order(out_, number); }
    void begin(oid type, std::size_t length) {
        append(static_cast<std::uint32_t>(type));
        append(static_cast<std::int32_t>(length));
    }

    std::string& out_;
};

} // namespace

void append_record(std::string& out, stored_event const& row, std::optional<std::int64_t> sequence) {
    record_writer record(out);
    std::int32_t fields = sequence ? 1 : 0;
    for_each_column(row, [&](std::string_view, auto const&) { ++fields; });
    record.add_count(fields);
    if (sequence) record.add(*sequence);
    for_each_column(row, [&](std::string_view, auto const& column) { record.add(column); });
}

digest chain_hash(std::string_view previous_hash, stored_event const& row, std::int64_t sequence,
                  std::string& scratch) {
    scratch.assign(previous_hash);
    append_record(scratch, row, sequence);
    return sha256(scratch);
}

} // namespace recruiting::audit
