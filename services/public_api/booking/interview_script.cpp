#include "public_api/booking/interview_script.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::public_api {
namespace {

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

std::string const& script_hash() {
    static std::string const hash = to_base64url(bytes_of(sha256(script)).substr(0, 9));
    return hash;
}

} // namespace

std::string const& interview_script_address() {
    static std::string const address = "/interviews/local_times.js?v=" + script_hash();
    return address;
}

result<plan> get_interview_script(call const& from) {
    http::response answer;
    answer.content_type = "text/javascript; charset=utf-8";
    if (from.request.query == "v=" + script_hash()) answer.add("Cache-Control", "public, max-age=31536000, immutable");
    answer.body = script;
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
