// The only user of hiredis: its reader. Writing RESP takes fewer lines than calling its formatter.
#include "redis/protocol.hpp"

#include "core/text.hpp"

#include <hiredis/hiredis.h>

namespace recruiting::redis {
namespace {

struct reply_deleter {
    void operator()(void* what) const noexcept { freeReplyObject(what); }
};

reply convert(redisReply const& from) {
    reply out;
    switch (from.type) {
    case REDIS_REPLY_INTEGER:
        out.type = reply::kind::integer;
        out.integer = from.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
    case REDIS_REPLY_ERROR:
        out.type = from.type == REDIS_REPLY_ERROR ? reply::kind::error : reply::kind::text;
        out.text.assign(from.str, static_cast<std::size_t>(from.len));
        break;
    case REDIS_REPLY_ARRAY:
        out.type = reply::kind::array;
        for (std::size_t i = 0; i < from.elements; ++i) out.elements.push_back(convert(*from.element[i]));
        break;
    default: break;
    }
    return out;
}

} // namespace

void batch::add(std::initializer_list<std::string_view> words) {
    bytes_ += '*';
    append_number(bytes_, words.size());
    for (auto const word : words) {
        bytes_ += "\r\n$";
        append_number(bytes_, word.size());
        bytes_ += "\r\n";
        bytes_ += word;
    }
    bytes_ += "\r\n";
    ++size_;
}

void batch::clear() noexcept {
    bytes_.clear();
    size_ = 0;
}

void reply_reader::free_reader::operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }

reply_reader::reply_reader() : reader_(redisReaderCreate()) {
    if (!reader_) throw std::bad_alloc();
}

void reply_reader::feed(std::string_view bytes) {
    if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK) throw protocol_error(reader_->errstr);
}

std::optional<reply> reply_reader::next() {
    void* raw = nullptr;
    if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK) throw protocol_error(reader_->errstr);
    if (raw == nullptr) return std::nullopt;
    std::unique_ptr<void, reply_deleter> const owned(raw);
    return convert(*static_cast<redisReply const*>(raw));
}

} // namespace recruiting::redis
