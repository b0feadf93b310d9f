# cmake -DDOCUMENT=… -DOUTPUT=… -P embed_document.cmake: the document as a C++ source.
# A raw literal's text may not hold its own end mark; JSON has no reason to.
file(READ ${DOCUMENT} text)
string(FIND "${text}" ")openapi\"" end_mark)
if(NOT end_mark EQUAL -1)
    message(FATAL_ERROR "${DOCUMENT} holds the end mark of the literal it is put into")
endif()
file(WRITE ${OUTPUT} "#include \"public_api/docs/endpoints.hpp\"

namespace recruiting::public_api {

std::string_view openapi_document() noexcept {
    static constexpr std::string_view text = R\"openapi(${text})openapi\";
    return text;
}

} // namespace recruiting::public_api
")
