// Which texts name a person. Pure.
#pragma once
#include "core/ids.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::erasure {

/// How a text names a person; an id and an address are theirs alone, a name may be another person's, too.
enum class named_by { nothing, name, address, id };
[[nodiscard]] std::string_view to_string(named_by how) noexcept;

class naming {
public:
    void add_id(uuid const& id);
    void add_address(std::string_view address);
    /// Without a letter or digit it names nothing.
    void add_name(std::string_view name);

    /// The surest way in which the text names the person: ids in either form; addresses and names whole, whatever
    /// their case; names whatever their accents and whatever divides their words. Escapes of JSON are seen through,
    /// however often they are escaped themselves.
    [[nodiscard]] named_by find(std::string_view text) const;

private:
    [[nodiscard]] named_by find_plain(std::string_view text) const;

    std::vector<std::string> ids_, addresses_, names_; // as they are compared
};

} // namespace recruiting::recruitctl::erasure
