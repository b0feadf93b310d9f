// "Add to calendar": links that open a web calendar with an event filled in. Pure.
#pragma once
#include "mail/calendar.hpp"

#include <string>

namespace recruiting::mail {

struct calendar_links {
    std::string google;
    std::string outlook;    // Outlook.com
    std::string office_365; // calendars of companies and schools
};
/// The links hold summary, description, location and times, and the calendar's provider reads them. The description
/// of a private event is left out, for it holds a secret.
[[nodiscard]] calendar_links links_to_add(calendar_event const& event);

} // namespace recruiting::mail
