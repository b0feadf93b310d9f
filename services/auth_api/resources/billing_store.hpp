#pragma once
#include "pg/params.hpp"

namespace recruiting::auth_api {

[[nodiscard]] pg::statement subscription_record();
[[nodiscard]] pg::statement recent_invoices();

} // namespace recruiting::auth_api
