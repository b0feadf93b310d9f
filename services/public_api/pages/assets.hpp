// Styles and scripts, part of the program: those of the pages, each under an address with its hash, so that it may be
// kept for a year, and the widget for other sites. Pages and widgets share look/shared.css and widget/time_picker.js.
#pragma once
#include "public_api/http/plan.hpp"
#include "words/words.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// GET /careers/style.css: the style of all pages, light and dark, with a contrast of at least 4.5 to 1 in both.
[[nodiscard]] std::string const& style_address();
[[nodiscard]] result<plan> get_style(action_input const& input);

/// GET /careers/list.js: the list of jobs follows its form without a button.
[[nodiscard]] std::string const& careers_script_address();
[[nodiscard]] result<plan> get_careers_script(action_input const& input);

/// GET /interviews/times.js: the interview's times in the visitor's zone, and the choice of another one.
[[nodiscard]] std::string const& interview_script_address();
[[nodiscard]] result<plan> get_interview_script(action_input const& input);

/// GET /widget/v1.js: the elements a company puts on its own site, with their words and looks.
[[nodiscard]] result<plan> get_widget(action_input const& input);
[[nodiscard]] std::shared_ptr<std::string const> const& widget_script();

/// {"zone":"Time zone", …}: the words of these names (of the group "script") as JSON.
[[nodiscard]] std::string words_as_json(words const& in, std::span<named_script_word const> which);

// Files of look/, pages/ and widget/ as they were at build time, without comments (embed_script.cmake).
[[nodiscard]] std::string_view shared_style() noexcept;
[[nodiscard]] std::string_view page_style() noexcept;
[[nodiscard]] std::string_view widget_style() noexcept;
[[nodiscard]] std::string_view widget_modules() noexcept;
[[nodiscard]] std::string_view careers_modules() noexcept;
[[nodiscard]] std::string_view interview_modules() noexcept;

} // namespace recruiting::public_api
