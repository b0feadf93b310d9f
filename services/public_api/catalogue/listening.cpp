#include "public_api/catalogue/listening.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::chrono::seconds between_echoes{5};
constexpr std::chrono::seconds patience{3}; // with one on its way

} // namespace

void listening::begin(clock::time_point now) {
    heard_ = false;
    due_at_ = now;
    deaf_at_ = clock::time_point::max();
}

void listening::sent(clock::time_point now) {
    due_at_ = now + between_echoes;
    if (deaf_at_ == clock::time_point::max()) deaf_at_ = now + patience;
}

bool listening::take(std::string_view payload) {
    if (!payload.starts_with(mark)) return false;
    if (payload != payload_) return true;
    heard_ = true;
    deaf_at_ = clock::time_point::max();
    return true;
}

} // namespace recruiting::public_api
