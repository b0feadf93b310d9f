// The console's answers that are one value: {"data":…}.
#pragma once
#include "http/json_writer.hpp"
#include "http/message.hpp"

namespace recruiting::auth_api::console {

/// write writes the value.
template <class Write>
[[nodiscard]] http::response data_answer(Write const& write, unsigned status = 200) {
    http::response answer;
    answer.status = status;
    http::json_writer json(answer.body);
    json.open_object().key("data");
    write(json);
    json.close_object();
    return answer;
}

} // namespace recruiting::auth_api::console
