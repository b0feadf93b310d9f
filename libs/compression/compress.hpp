// Which answers are sent compressed (RFC 9110 sections 8.4 and 12.5.3).
#pragma once
#include "http/message.hpp"

#include <string_view>

namespace recruiting::compression {

/// Text above 1 KiB: below, it all travels in one packet anyway. Of a stream the type decides.
[[nodiscard]] bool is_worth_compressing(http::response const& answer) noexcept;

/// Sends the answer as gzip where that is worth it and Accept-Encoding asks for it; a stream page by page. Says Vary
/// wherever it depends on that field. Call last: length and validators are those of what is sent. level: 1 to 9; 0
/// leaves every answer as it is.
void compress(http::response& answer, std::string_view accept_encoding, int level);

} // namespace recruiting::compression
