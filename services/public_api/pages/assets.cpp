#include "public_api/pages/assets.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "public_api/http/answer.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view style = R"(:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1a1d21; --soft: #565d66; --line: #d5dae0; --field: #7a828c;
  --accent: #0b57b7; --on-accent: #ffffff; --tint: #f1f4f8; --good: #17692f; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e8eaed; --soft: #a9b1bb; --line: #343a42; --field: #8a929c;
    --accent: #8ab8ff; --on-accent: #10151c; --tint: #1e2329; --good: #7fd494; --bad: #ffb4ab;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; inset-block-start: -10rem; inset-inline-start: 1rem; padding: .5rem 1rem;
  background: var(--accent); color: var(--on-accent); }
.skip:focus { inset-block-start: .5rem; }
.frame { max-width: 60rem; margin-inline: auto; padding-inline: 1.25rem; }
.top { border-block-end: 1px solid var(--line); }
.top .frame { display: flex; align-items: center; gap: .75rem; min-height: 4.5rem; }
.top img { max-height: 2.5rem; max-width: 10rem; }
.top a, .top span { color: inherit; font-weight: 600; font-size: 1.1rem; text-decoration: none; }
main { padding-block: 1.5rem 3rem; }
h1 { font-size: clamp(1.6rem, 5vw, 2.2rem); line-height: 1.2; margin: .5rem 0 1rem; }
h2 { font-size: 1.35rem; margin: 1.75rem 0 .5rem; }
h3 { font-size: 1.1rem; }
.soft { color: var(--soft); }
.filters { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); align-items: end;
  padding: 1rem; background: var(--tint); border-radius: .5rem; }
.filters div:first-child { grid-column: 1 / -1; }
label { display: block; font-size: .9rem; color: var(--soft); }
input, select, button, .button { font: inherit; min-height: 2.75rem; border-radius: .375rem; }
input, select { width: 100%; padding: .375rem .625rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--field); }
input[type=radio], input[type=checkbox] { width: auto; min-height: 0; accent-color: var(--accent); }
button, .button { display: inline-block; padding: .5rem 1.125rem; border: 1px solid var(--accent); cursor: pointer;
  background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
.button.quiet, button.quiet { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
.jobs { list-style: none; margin: 1.25rem 0; padding: 0; }
.jobs li { padding-block: 1rem; border-block-end: 1px solid var(--line); }
.jobs a { font-weight: 600; font-size: 1.1rem; }
.jobs h2 { margin: 0; font-size: 1.1rem; }
.jobs p { margin: .125rem 0 0; color: var(--soft); }
.facts { display: grid; gap: .25rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr));
  margin: 1rem 0; padding: 1rem; background: var(--tint); border-radius: .5rem; }
.facts dt { color: var(--soft); font-size: .9rem; }
.facts dd { margin: 0; font-weight: 600; }
.facts .wide { grid-column: 1 / -1; }
.notice { margin: 1rem 0; padding: .75rem 1rem; background: var(--tint); border-inline-start: .25rem solid var(--accent); }
.notice.good { border-color: var(--good); }
.notice.bad { border-color: var(--bad); }
details { margin: .75rem 0; border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
recruiting-booking { --recruiting-accent: var(--accent); --recruiting-on-accent: var(--on-accent);
  --recruiting-danger: var(--bad); --recruiting-radius: .5rem; margin-block-start: .75rem; }
recruiting-booking::part(card) { border: 0; padding: 0; }
summary { cursor: pointer; font-weight: 600; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; }
legend { font-weight: 600; padding-inline: .375rem; }
.choices { display: grid; gap: .25rem; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
.choices label { display: flex; flex-wrap: wrap; gap: .125rem .5rem; align-items: center; min-height: 2.75rem;
  padding: .375rem; color: inherit; cursor: pointer; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-block: 1rem; }
.bottom { border-block-start: 1px solid var(--line); color: var(--soft); font-size: .9rem; padding-block: 1.5rem; }
@media (prefers-reduced-motion: no-preference) { a, button, .button { transition: background-color .15s; } }
@media print { .filters, .skip, .bottom, recruiting-booking { display: none; } }
)";

constexpr std::string_view script = R"('use strict';
(() => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!own) return;
  const page = document.documentElement.lang;
  const language = page === 'en' ? 'en-GB' : page;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  for (const element of document.querySelectorAll('time[data-zone]')) {
    const at = new Date(element.dateTime);
    const long = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    const read = (timeZone, parts) => new Intl.DateTimeFormat(language, { ...parts, timeZone }).format(at);
    const here = read(own, long);
    const there = read(element.dataset.zone, long);
    if (here === there) continue;
    const sameDay = here.slice(0, -5) === there.slice(0, -5);
    const note = document.createElement('span');
    note.className = 'soft';
    const { short, long: whole } = element.dataset;
    note.textContent = short
      ? ` (${fill(short, { time: read(own, sameDay ? clock : { weekday: 'short', ...clock }) })})`
      : ` – ${fill(whole, { time: here, zone: own })}`;
    element.after(note);
  }
})();
)";

struct asset {
    asset(std::string_view path, std::string_view media_type, std::string_view body)
        : type(media_type), text(body), version("v=" + to_base64url(bytes_of(sha256(body)).substr(0, 9))),
          address(std::string(path) + '?' + version) {}
    std::string_view type;
    std::string_view text;
    std::string version; // the query that names this text
    std::string address;
};

asset const& style_asset() {
    static asset const made("/careers/style.css", "text/css; charset=utf-8", style);
    return made;
}

asset const& interview_script_asset() {
    static asset const made("/interviews/local_times.js", "text/javascript; charset=utf-8", script);
    return made;
}

plan asset_answer(action_input const& input, asset const& shown) {
    http::response answer;
    answer.content_type = shown.type;
    if (input.request.query == shown.version) answer.add("Cache-Control", "public, max-age=31536000, immutable");
    answer.body = shown.text;
    return answered(std::move(answer));
}

} // namespace

std::string const& style_address() { return style_asset().address; }

result<plan> get_style(action_input const& input) { return asset_answer(input, style_asset()); }

std::string const& interview_script_address() { return interview_script_asset().address; }

result<plan> get_interview_script(action_input const& input) { return asset_answer(input, interview_script_asset()); }

result<plan> get_widget(action_input const&) {
    static auto const body = std::make_shared<std::string const>(widget_script());
    static std::string const etag = etag_of(*body);
    http::response answer;
    answer.content_type = "text/javascript; charset=utf-8";
    answer.shared_body = body;
    answer.add("ETag", etag);
    // Long enough that visitors of a site do not ask at each page, short enough that a repaired widget gets around.
    answer.add("Cache-Control", "public, max-age=3600, stale-while-revalidate=86400");
    answer.add("Cross-Origin-Resource-Policy", "cross-origin"); // for pages that require it of all they embed
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
