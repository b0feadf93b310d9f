// A booking as the API shows it to whoever holds its link.
#pragma once
#include "http/message.hpp"
#include "public_api/booking/manage_store.hpp"

#include <string_view>

namespace recruiting::public_api {

/// token: the link's, of which the addresses are made.
[[nodiscard]] http::response booking_answer(presented_booking const& shown, std::string_view public_url,
                                            std::string_view token, timestamp now);

} // namespace recruiting::public_api
